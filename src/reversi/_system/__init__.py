"""The machine: files, limits, processes, locks."""
