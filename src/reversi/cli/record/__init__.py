"""``reversi record``: replay records, check them, convert them, look through them, sort them."""
