"""``reversi play``: play a game on the full screen or line by line."""
