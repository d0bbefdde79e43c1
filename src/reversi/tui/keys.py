"""The keys of the full-screen board: one table for the program, its help and the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from reversi.session.session import Session


@dataclass(frozen=True, slots=True)
class Key:
    """A key and its action, or those of several directions, with ``|`` between them.

    Attributes:
        keys: the keys by Textual's names, comma-separated.
        shown: the keys for people.
        label: the word in the bar at the bottom, "" for none.
    """

    keys: str
    action: str
    shown: str
    meaning: str
    label: str = ""

    @property
    def bound(self) -> list[tuple[str, str]]:
        """The keys and the action of each direction."""
        return list(zip(self.keys.split("|"), self.action.split("|"), strict=True))


_CURSOR: Final = Key(
    "up,k|down,j|left,h|right,l",
    "cursor(-1, 0)|cursor(1, 0)|cursor(0, -1)|cursor(0, 1)",
    "Arrows or h j k l",
    "move the cursor",
)
_NEXT: Final = Key(
    "tab|shift+tab", "next_move(1)|next_move(-1)", "Tab, Shift+Tab", "go to the next or previous legal move"
)
_DIGITS: Final = ",1,2,3,4,5,6,7,8"
_TYPE: Final = Key(f"colon{_DIGITS}", "type", ": or a digit", "type a square as in f5, or moves as in f5d6")
_ANSWER: Final = Key(
    f"colon,a,c,d,e,f,g{_DIGITS}", "type", "Letter and digit", "type a square as in f5; Enter plays it"
)
_HELP: Final = Key("question_mark,f1", "help", "? or F1", "show the keys", "Keys")
_INTERRUPT: Final = Key("ctrl+c", "app.interrupt", "Ctrl+C", "leave with exit status 130")
_COPY: Final = Key("y", "copy", "y", "copy the position, or the moves up to here")

_PAGES: Final = Key(
    "pagedown|pageup", "page(1)|page(-1)", "Page Down, Page Up", "scroll a long text, as the wheel does"
)
_READ: Final = (
    Key("R", "aloud", "R", "say the whole board in words, row by row"),
    Key("0", "say('')", "0", "say how many discs both players have, and the empty squares"),
)
"""The keys that say what the board shows."""

BOARD_KEYS: Final = (
    _CURSOR,
    _NEXT,
    Key("enter,space", "choose", "Enter or Space", "place a disc at the cursor; a click does the same"),
    _TYPE,
    Key("p,P", "skip", "p or P", "skip the turn, where the rules allow it", "Skip"),
    _HELP,
    Key("u,ctrl+z", "undo", "u or Ctrl+Z", "take back a turn with the engine's reply; paused: a ply", "Undo"),
    Key("r,ctrl+y", "redo", "r or Ctrl+Y", "redo the turn that was taken back", "Redo"),
    Key("a", "pause", "a", "pause the clocks and engines, or continue; after a game: review it", "Pause"),
    Key("A", "review", "A", "review a paused or recorded game up to here: lost discs, turning points", "Review"),
    Key("g", "go", "g", "go: let the engine play this move, or its next one", "Step"),
    Key("home|end", "first|final", "Home, End", "go to the start or the end of a paused game"),
    Key("t", "tips", "t", "show or hide tips: the score of every move", "Tips"),
    Key("w", "explain", "w", "why: what is good or bad about the move at the cursor", "Why"),
    Key("e", "graph", "e", "show or hide the evaluation of the game so far", "Graph"),
    Key("slash", "explore", "/", "explore: engine, book and database on every move; try moves", "Explore"),
    Key("v", "evaluation", "v", "show or hide the engine's own evaluation after each of its moves"),
    Key("n", "new_game", "n", "new game: rules, sides, level, clock, opening, colors", "New"),
    Key("s", "save", "s", "save the game to a file", "Save"),
    Key("semicolon", "note", ";", "note: write a mark or a comment at the ply on the board"),
    Key("W", "write", "W", "write a report (HTML), the transcript, or a picture (SVG) to a file"),
    Key("o", "load", "o", "open a game of a file or a database beside yours, or a position; as pasting does"),
    Key("y", "copy", "y", "copy the position, the moves up to here, or the game"),
    Key("b", "editor", "b", "board editor: set up a position and play from it"),
    Key("m", "marks", "m", "show or hide the marks on legal moves"),
    Key("f", "flips", "f", "show or hide what a move at the cursor would flip"),
    Key("c|C", "theme(1)|theme(-1)", "c, C", "next or previous colors"),
    Key("S", "stable", "S", "outline and count stable discs: no move can flip them; or hide them"),
    Key("x", "view", "x", "turn the board by half, mirror it, or both"),
    Key("i", "rules", "i", "show the rules of this game in words"),
    Key("H", "history", "H", "your history: results by level, what you lost, mistakes"),
    Key("X", "resign", "X", "resign"),
    Key("full_stop", "say('row')", ".", "say the square at the cursor and its row in words"),
    Key("comma", "say('column')", ",", "say the square at the cursor and its column in words"),
    *_READ,
    Key("L", "last", "L", "say the last turn again"),
    Key("pageup|pagedown", "page(-1)|page(1)", "Page Up, Page Down", "scroll the list of moves"),
    Key("q", "quit", "q", "leave; `reversi play --resume` continues the game", "Quit"),
    _INTERRUPT,
)
"""The keys while playing."""

MANUAL_KEYS: Final = (
    Key("enter,space", "choose", "Enter or Space", "place a disc on an empty square, flip a disc"),
    Key("d", "done", "d", "done: finish the flips, the opponent is to move", "Done"),
)
"""The keys that differ where people flip the discs by hand."""

ANALYSIS_KEYS: Final = (
    Key(
        "left,h|right,l",
        "step(-1)|step(1)",
        "Left or Right",
        "go back or on by a ply; in the best line too",
        "Step",
    ),
    Key("home|end", "far(0)|far(1)", "Home, End", "go to the start or the end of the game"),
    Key(
        "tab|shift+tab",
        "turning_point(1)|turning_point(-1)",
        "Tab, Shift+Tab",
        "go to the next or previous turning point",
    ),
    Key("down,j|up,k", "mistake(1)|mistake(-1)", "Down or Up", "go to the next or previous mistake", "Mistakes"),
    Key("b", "best_line", "b", "show the best line on the board, or the game again", "Best line"),
    Key(
        f"t,colon{_DIGITS}",
        "type",
        "t, : or a click",
        "try moves: the value of each, the best reply, the line",
        "Try",
    ),
    Key("f", "exercises", "f", "find the better move: your mistakes in this game as exercises", "Find"),
    Key("x", "exercise", "x", "make an exercise of the move that follows, for `reversi train`"),
    Key("W", "write", "W", "write a lesson of your mistakes in this game to a file, for `reversi learn`"),
    Key("m", "list", "m", "list the mistakes or all moves; a click on one goes there", "Moves"),
    Key("slash", "explore", "/", "explore: engine, book and database on every move", "Explore"),
    Key("r,enter", "retry", "r or Enter", "try again: play on from this position", "Try again"),
    *_READ,
    _COPY,
    _HELP,
    Key("escape,q,a", "leave", "Esc or a", "go back: from a line to the review, else to the game", "Back"),
    _INTERRUPT,
)
"""The keys of an analysis."""

EXERCISE_KEYS: Final = (
    _CURSOR,
    _NEXT,
    Key("enter,space", "choose", "Enter or Space", "play the move at the cursor, as a click does; go on", "Play"),
    replace(_ANSWER, keys=f"b,{_ANSWER.keys}"),
    Key("t", "hint", "t", "tip: the value of the best move, what stands out, a few moves", "Tip"),
    Key("s", "solution", "s", "show the solution", "Solution"),
    Key("n", "skip", "n", "go to the next exercise", "Next"),
    _PAGES,
    *_READ,
    _COPY,
    _HELP,
    Key("escape,q", "leave", "Esc", "stop", "Back"),
    _INTERRUPT,
)
"""The keys of an exercise."""

EXPLORER_KEYS: Final = (
    Key("up,k|down,j", "choose(-1)|choose(1)", "Up or Down", "choose a move in the table"),
    Key("enter,space", "play", "Enter or Space", "try the chosen move, as a click does", "Try"),
    _TYPE,
    Key("left,h,backspace|right,l", "step(-1)|step(1)", "Left or Right", "go back or on by a ply", "Step"),
    Key("home", "home", "Home", "go back to the position of the game"),
    Key(
        "o|O", "order(1)|order(-1)", "o, O", "sort by the next or previous column, as a click on it does", "Order"
    ),
    Key("f", "filter", "f", "filter the games by player, years and more", "Filter"),
    Key("g", "games", "g", "list the games that passed here, and open one at this ply", "Games"),
    Key("v", "keep", "v", "keep the line as a variation of the game when it is saved", "Keep"),
    Key("d", "deeper", "d", "let the engine look deeper", "Deeper"),
    *_READ,
    _COPY,
    _HELP,
    Key("escape,q,slash", "leave", "Esc or /", "go back; the game is as it was", "Back"),
    _INTERRUPT,
)
"""The keys of the explorer."""

PEEK_KEYS: Final = (
    Key(
        "left,h,u|right,l,r", "step(-1)|step(1)", "Left or Right", "go back or on by a ply, as u and r do", "Step"
    ),
    Key("home|end", "step(-999)|step(999)", "Home, End", "go to the start or the end of the game"),
    Key("a", "take", "a", "put this game on the board in place of yours, which stays saved", "Continue"),
    *_READ,
    _COPY,
    _HELP,
    Key("escape,q,o", "leave", "Esc or o", "go back to your game", "Back"),
    _INTERRUPT,
)
"""The keys of a game beside the one on the board."""

LESSON_KEYS: Final = (
    _CURSOR,
    _NEXT,
    Key("enter,space", "choose", "Enter or Space", "place a disc at the cursor, or go on; a click does the same"),
    _ANSWER,
    Key("p,P", "skip", "p or P", "pass", "Pass"),
    Key("n", "go(1)", "n", "next step", "Next"),
    Key("b", "go(-1)", "b", "step before", "Back"),
    _PAGES,
    Key("s", "show", "s", "show the answer", "Show"),
    *_READ,
    _HELP,
    Key("escape", "leave", "Esc", "leave, after a question"),
    Key("q", "quit", "q", "leave; `reversi learn` goes on at this step", "Quit"),
    _INTERRUPT,
)
"""The keys of the first lesson."""

EDITOR_KEYS: Final = (
    _CURSOR,
    Key("enter,space", "cycle", "Enter, Space or click", "change a square: empty, Black, White"),
    Key("x", "put('x')", "x", "put a disc of Black, and move to the next square"),
    Key("o", "put('o')", "o", "put a disc of White, and move on"),
    Key("full_stop,minus,delete", "put('-')", ". or - or Del", "empty the square, and move on"),
    Key("f", "play", "f", "finish: play from this position", "Play"),
    Key("t", "turn", "t", "change whose turn it is", "Turn"),
    Key("s", "start", "s", "set up the start position of the rules", "Start"),
    Key("c", "clear", "c", "empty the board", "Clear"),
    Key("v", "paste", "v", "paste or type a board, moves, or FILE#3@20", "Paste"),
    Key("y", "copy", "y", "copy the position"),
    Key("slash", "explore", "/", "explore: engine, book and database on every move", "Explore"),
    Key("escape,q", "cancel", "Esc", "return to the game", "Back"),
    _INTERRUPT,
)
"""The keys of the position editor."""


def board_keys(session: Session) -> list[Key]:
    """Return the keys while playing, with labels only where the bar shows them in this game."""
    paused, manual_step = session.is_paused, session.engines_only or (session.is_paused and session.engine_to_move)
    hidden = set() if session.can_skip else {"skip"}
    if not session.takebacks:
        hidden |= {"undo", "redo"}
    if not (paused or session.engines_only or session.is_over):
        hidden.add("pause")
    if session.is_over or not paused:
        hidden.add("review")
    if not manual_step or session.is_over or session.is_replay:
        hidden.add("go")
    keys = [replace(key, label="") if key.action in hidden else key for key in BOARD_KEYS]
    if not (paused or session.is_over):
        return keys
    label = "Review" if session.is_over else "Continue"
    keys = [replace(key, label=label) if key.action == "pause" and key.label else key for key in keys]
    after = ("pause", "new_game")  # what comes after a game comes first then
    return sorted(keys, key=lambda key: key.action not in after) if session.is_over else keys


def key_table(keys: Sequence[Key]) -> list[tuple[str, str]]:
    """Return keys and their meanings for people."""
    return [(key.shown, key.meaning) for key in keys]


def key_lines(table: Sequence[tuple[str, str]], width: int = 0) -> list[str]:
    """Return a table of keys as lines, the meanings below each other, from ``width`` characters on at least."""
    wide = max(width, *(len(shown) for shown, _ in table))
    return [f"{shown:<{wide}}  {meaning}" for shown, meaning in table]
