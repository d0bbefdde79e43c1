"""Tables of games: CSV, JSON lines and Parquet, with a game on each row."""
