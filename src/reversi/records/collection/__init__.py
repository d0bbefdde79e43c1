"""Collections of games: facts, identity, selection, statistics, splitting."""
