"""A position as JSON values."""

import json

from hypothesis import given

from reversi import Color, Position, State, parse_rules
from reversi.text.boards import parse_board
from reversi.text.position_json import position_fields, position_summary
from rule_sets import endgames


def test_fields() -> None:
    after_skip = Position(parse_rules("adjacent,optional-skip,board=4x4")).play("--")
    assert position_fields(after_skip) == {
        "board": "-----OX--XO-----",
        "to_move": "O",
        "after_pass": True,
        "rules": "adjacent,optional-skip,board=4x4",
        "empties": 12,
    }


@given(endgames())
def test_the_summary_says_what_the_position_says(position: Position) -> None:
    fields = json.loads(json.dumps(position_summary(position)))
    assert fields["legal_moves"] == [str(move) for move in position.legal_moves]
    assert fields["over"] is position.is_over
    assert fields["discs"] == f"{fields['black']}-{fields['white']}"
    assert fields["black"] + fields["white"] + fields["empties"] == position.rules.board.cells
    result = position.result
    if result is None:
        assert "score" not in fields
    else:
        assert fields["score"] == (result.score if position.to_move is Color.BLACK else -result.score)
    assert fields.get("ended", False) is (position.state is State.ENDED)
    state = " --" if fields["after_pass"] else " ended" if "ended" in fields else ""
    text = f"{fields['board']} {fields['to_move']}{state}"
    assert parse_board(text, parse_rules(fields["rules"])) == position
