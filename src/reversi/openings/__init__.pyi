"""The public names; the package loads them when they are first used."""

from .book import (
    Book as Book,
    BookEntry as BookEntry,
    BookError as BookError,
    BookMove as BookMove,
    BookNotes as BookNotes,
    Books as Books,
    default_book as default_book,
    open_books as open_books,
)
from .names import (
    Named as Named,
    Opening as Opening,
    named_openings as named_openings,
    opening_named as opening_named,
    opening_of_game as opening_of_game,
    opening_of_position as opening_of_position,
)
from .starts import (
    StartingLine as StartingLine,
    balanced_lines as balanced_lines,
    draw_line as draw_line,
    parse_xot as parse_xot,
    read_xot as read_xot,
)
