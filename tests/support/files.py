"""Files that tests need."""

from pathlib import Path


def new_file(path: Path, content: str | bytes) -> Path:
    """Write a file, text in UTF-8 with the line ends that it has, and return its path."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
