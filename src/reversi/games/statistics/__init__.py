"""Statistics of many games: events with standings and crosstables, players, openings, ratings."""
