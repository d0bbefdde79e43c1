"""Tables of the documentation, with the rows that the code has."""

from __future__ import annotations

from reversi.cli.vocabulary import Vocabulary


def words_table(vocabulary: Vocabulary) -> str:
    """The commands of a dialogue."""
    rows = ["| type | also | what it does |", "|---|---|---|"]
    for word in vocabulary.words:
        typed = f"{word.name} {word.arguments}".strip().replace("|", "\\|")
        also = ", ".join(f"`{name}`" for name in word.short)
        rows.append(f"| `{typed}` | {also} | {word.meaning} |")
    return "\n".join(rows) + "\n"
