"""Records of games: what was played, by whom, with which notes and result; reading, writing and checking them.

A `Record` is tags, a start position, a tree of moves and a result. `read_records` gives the games of
a PGN-like text with what is wrong in their writing, `parse_record` the one game of a text,
`format_record` the text; what is written is read back as it was. There is such a reader and such a writer for
every other format; `losses` says what of a record a format does not hold. `validate_record` and
`validate_entry` judge the play.
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
