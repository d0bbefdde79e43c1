"""The drawing of a position or a game: colors, themes, what it shows, and SVG."""
