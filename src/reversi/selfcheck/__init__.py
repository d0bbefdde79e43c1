"""What ``reversi bench`` and ``reversi doctor`` measure and check."""
