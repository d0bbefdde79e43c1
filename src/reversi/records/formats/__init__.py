"""The formats of records: one module or package for each, and the registry."""
