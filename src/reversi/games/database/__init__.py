"""A database of games in DuckDB: import archives of any size, explore positions, find games."""
