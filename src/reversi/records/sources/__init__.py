"""Where games come from: find files, open and recognize them, and cut long ones."""
