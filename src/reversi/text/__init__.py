"""Positions and transcripts as text."""
