"""``reversi train``: make exercises, solve them, and see the progress."""
