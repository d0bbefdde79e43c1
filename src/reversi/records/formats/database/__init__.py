"""The file of a database of games: opened, described, and read as any file of games."""
