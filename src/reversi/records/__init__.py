"""Records of games: what was played, by whom, with which notes and result; reading, writing and checking them."""
