"""`reversi db`: a database of games: import files, change what it has, ask in SQL."""
