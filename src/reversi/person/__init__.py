"""A person who plays here: the first lesson, the games against engines, and the level that follows them."""
