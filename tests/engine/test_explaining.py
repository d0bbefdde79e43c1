"""What the words about a move say is so on the board."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings, strategies as st

from random_games import random_walk
from reversi import PASS, Color, IllegalMoveError, Move, Position, Random, Square, parse_rules
from reversi.engine.explaining import _RULES, Feature, Remark, explain, regions, rule_of_thumb, stable_discs
from reversi.text.boards import parse_board

RULES = ["othello", "othello,board=6x6", "adjacent,board=4x6", "othello,misere", "othello,optional-skip,board=4x4"]


def board(text: str) -> Position:
    *rows, side = text.split()
    return parse_board("".join(rows) + " " + side)


def about(position: Position, move: str) -> dict[Feature, Remark]:
    return {remark.feature: remark for remark in explain(position, Square(move), 20)}


@st.composite
def midgames(draw: st.DrawFn) -> Position:
    position = Position(parse_rules(draw(st.sampled_from(RULES))))
    random = Random(draw(st.integers(0, 1 << 40)))
    return random_walk(position, draw(st.integers(0, 60)), random, ends=False)


@given(midgames(), st.integers(0, 1 << 40))
def test_a_stable_disc_is_never_turned(position: Position, seed: int) -> None:
    stable = stable_discs(position)
    black = stable & position.black
    random = Random(seed)
    while not position.is_over:
        position = position.play(position.legal_moves.choice(random))
        assert position.black & stable == black
        now = stable_discs(position)
        assert now & stable == stable
        stable, black = now, now & position.black


def test_stable_discs() -> None:
    assert stable_discs(Position()) == 0
    full = board("XO" * 32 + " X")
    assert stable_discs(full) == (1 << 64) - 1
    corner = board("XXX----- XX------ X------- " + "-" * 24 + " -------- O------- X")
    named = {
        square for square in ("a1", "b1", "c1", "a2", "b2", "a3") if stable_discs(corner) & Square(square).bit
    }
    assert named == {"a1", "b1", "c1", "a2", "b2", "a3"}


@given(midgames())
@settings(max_examples=80)
def test_regions_are_the_empty_squares(position: Position) -> None:
    found = regions(position)
    union = 0
    for region in found:
        assert region
        assert not union & region
        union |= region
    assert union == position.empty


@given(midgames())
def test_what_is_said_is_so(position: Position) -> None:
    corners = {0, position.rules.board.columns - 1}
    corners |= {corner + 8 * (position.rules.board.rows - 1) for corner in corners}
    sign = -1 if position.rules.misere else 1
    for move in position.legal_moves:
        after = position.play(move)
        remarks = explain(position, move, 20)
        assert len(explain(position, move, 2)) <= 2
        weights = [abs(remark.weight) for remark in remarks]
        assert weights == sorted(weights, reverse=True)
        found = {remark.feature: remark for remark in remarks}
        if after.is_over:
            assert set(found) == {Feature.END}
            continue
        assert (Feature.CORNER in found) == (move.index in corners)
        if Feature.CORNER in found:
            assert found[Feature.CORNER].is_good == (sign > 0)
        if Feature.GIVES_CORNER in found:
            assert any(after.legal_moves.placements >> corner & 1 for corner in corners)
        if not after.legal_moves.placements and position.rules.mandatory_capture:
            assert re.fullmatch(r"makes \w+ pass: \w+ moves again", found[Feature.MOBILITY].text)
        if Feature.X_SQUARE in found or Feature.C_SQUARE in found:
            assert any(position.empty >> corner & 1 for corner in corners)
        if move is PASS and position.legal_moves.placements:
            assert Feature.PASS in found


@given(midgames())
@settings(max_examples=40)
def test_what_is_said_about_edges_and_better_moves_is_so(position: Position) -> None:
    moves = list(position.legal_moves)
    for move in moves:
        after = position.play(move)
        if after.is_over:
            continue
        mover, opponent = position.to_move, position.to_move.opponent
        for better in {moves[0], moves[-1]}:
            for remark in explain(position, move, 20, better=better):
                text = remark.text
                if found := re.fullmatch(r"lets \w+ flip (\d+|a) discs? of the edge with (..)", text):
                    turned = position.with_to_move(opponent)
                    known = set(turned.flips(Square(found[2]))) if turned.is_legal(Square(found[2])) else set()
                    hit = {square for square in after.flips(Square(found[2])) if on_edge(square, position)}
                    assert len(hit) == int(found[1].replace("a", "1"))
                    assert hit - known
                if found := re.fullmatch(r"opens the edge: \w+ can now play (.*)", text):
                    for square in map(Square, re.findall("[a-h][1-8]", found[1])):
                        assert on_edge(square, position)
                        assert after.is_legal(square)
                        assert not position.with_to_move(opponent).is_legal(square)
                if found := re.fullmatch(rf"leaves {opponent} (\d+) moves?; .. leaves (\d+)", text):
                    assert after.legal_moves.placements.bit_count() == int(found[1]) > int(found[2])
                    assert position.play(better).legal_moves.placements.bit_count() == int(found[2])
                if found := re.fullmatch(rf"leaves {mover} (\d+) moves? for later; .. leaves (\d+)", text):
                    for at, count in ((after, found[1]), (position.play(better), found[2])):
                        own = at.with_to_move(mover).legal_moves.placements
                        assert own.bit_count() == int(count)
                if found := re.fullmatch(r"does not take the corner (..)", text):
                    assert move != better == Square(found[1])
                if found := re.fullmatch(rf"leaves {opponent} the corner (..); .. does not", text):
                    then = position.play(better)
                    assert after.is_legal(Square(found[1]))
                    assert then.to_move is mover or not then.is_legal(Square(found[1]))


def on_edge(square: Square, position: Position) -> bool:
    rows, columns = position.rules.board
    return divmod(square.index, 8)[0] in (0, rows - 1) or divmod(square.index, 8)[1] in (0, columns - 1)


def test_a_better_move_and_what_the_line_costs() -> None:
    position = Position.parse("--XXOX----XOOO-OXXXXOOOOXXXXXOOOXOXXOXOOXXOXXXX---OOXX-X--OOOO-- O")
    gives = {move: position.play(move).is_legal("h1") for move in position.legal_moves}
    assert gives[Square("g1")]
    for better, too in gives.items():
        if better != Square("g1"):
            texts = [str(remark) for remark in explain(position, Square("g1"), 9, better=better)]
            assert ("- lets Black take the corner h1" in texts) != too
            assert too or texts[0] == "- lets Black take the corner h1"
    assert set(gives.values()) == {True, False}


def test_a_corner_that_the_expected_moves_lose() -> None:
    said = 0
    for seed in range(150):
        random = Random(seed)
        position = random_walk(Position(), 20 + seed % 30, random)
        if position.is_over or len(position.legal_moves) < 2:
            continue
        move, better = list(position.legal_moves)[:2]
        then = position.play(move)
        line: list[Move] = []
        while not then.is_over and len(line) < 5:
            line.append(then.legal_moves.choice(random))
            then = then.play(line[-1])
        remarks = explain(position, move, 20, better=better, line=line)
        for remark in remarks:
            found = re.fullmatch(r"costs the corner (..): (\w+) takes it with (.*)", remark.text)
            if found is None:
                continue
            said += 1
            steps = [Move.parse(word) for word in found[3].split()]
            assert steps == line[: len(steps)]
            assert str(steps[-1]) == found[1] in ("a1", "h1", "a8", "h8")
            assert found[2] == str(position.to_move.opponent)
            assert not position.play(move).is_legal(steps[-1])
    assert said


def test_corners_and_the_squares_beside_them() -> None:
    position = board("-OX----- -OX----- -------- -------- -------- -------- -------- -------- X")
    assert about(position, "a1")[Feature.CORNER].text.startswith("takes the corner a1")
    found = about(position, "a2")
    assert found[Feature.C_SQUARE].text.startswith("a2 is a C-square beside the empty corner a1")
    assert not found[Feature.C_SQUARE].is_good
    wins = board("-------- -------- --O----- ---X---- -------- -------- -------- -------- X")
    assert about(wins, "b2")[Feature.END].text == "ends the game: Black wins 3-0 (by 64)"
    assert about(position.with_rules(parse_rules("othello,misere")), "a1")[Feature.CORNER].weight < 0


def test_the_x_square_gives_the_corner_at_once() -> None:
    position = board("-------- -------- --O----- ---X---- ----O--- -------- -------- -------- X")
    found = about(position, "b2")
    assert "X-square of the empty corner a1" in found[Feature.X_SQUARE].text
    assert not found[Feature.X_SQUARE].is_good
    assert "at once" in found[Feature.X_SQUARE].text
    assert found[Feature.GIVES_CORNER].text == "lets White take the corner a1"
    misere = Position.from_discs(position.black, position.white, Color.BLACK, parse_rules("othello,misere"))
    assert about(misere, "b2")[Feature.GIVES_CORNER].is_good


def test_a_corner_denied() -> None:
    """White could take a1, capturing b1 up to c1; d1 turns c1."""
    position = board("-XO----- -------- -------- -XO----- -------- -------- -------- -------- X")
    assert position.with_to_move(Color.WHITE).is_legal(Square("a1"))
    assert not position.play("d1").is_legal(Square("a1"))
    found = about(position, "d1")
    assert found[Feature.DENIES_CORNER].text == "keeps White out of the corner a1"
    assert found[Feature.DENIES_CORNER].is_good


def test_an_opponent_who_must_pass() -> None:
    random = Random(5)
    for _ in range(40):
        position = Position()
        while not position.is_over:
            for move in position.legal_moves:
                after = position.play(move)
                if not after.is_over and not after.legal_moves.placements:
                    text = about(position, str(move))[Feature.MOBILITY].text if not move.is_pass else ""
                    assert not text or text.endswith("moves again")
                    return
            position = position.play(position.legal_moves.choice(random))
    pytest.fail("no pass in 40 games")


def test_illegal_moves() -> None:
    with pytest.raises(IllegalMoveError):
        explain(Position(), Square("a1"))


def test_text_has_its_sign() -> None:
    assert str(Remark(Feature.CORNER, 1.0, "good")) == "+ good"
    assert str(Remark(Feature.CORNER, -1.0, "bad")) == "- bad"


def test_what_the_better_move_does_too_is_no_reason_against() -> None:
    played, better = Square("e8"), Square("f8")  # both in one region of two squares
    position = Position.parse("---XXXX----OOO-O---OOOOO--XOOOXOXXXOOXXOXXXOXOXOXXOOOXX---OO--X- O")
    alone = [remark.feature for remark in explain(position, played, 9) if not remark.is_good]
    assert Feature.PARITY in alone
    beside = [remark.feature for remark in explain(position, played, 9, better=better) if not remark.is_good]
    assert Feature.PARITY not in beside


def test_a_corner_that_is_lost_anyway_is_no_reason() -> None:
    position = Position.parse("OO-XXXX--OXXXX--XXOOOXX--OOOOOXXOOOOOOX--OOXXXOOX-XOX--O-XXXX--- X")
    line = [Move.parse(text) for text in ["a2", "b7", "c1", "g7", "h1"]]
    assert position.play("c1").is_legal("h1")
    texts = [remark.text for remark in explain(position, Square("a4"), 20, better=Square("c1"), line=line)]
    assert not any("corner h1" in text for text in texts)


def test_the_better_square_that_the_opponent_takes() -> None:
    position = Position.parse("----O-------O------OOO-----OOO-----OOO----XXXXX----XX-------X--- O")
    line = [Move.parse(text) for text in ["g5", "d8", "c8"]]
    texts = [remark.text for remark in explain(position, Square("f7"), 20, better=Square("c8"), line=line)]
    assert "leaves c8 to Black, who plays it with g5 d8 c8" in texts


def against(text: str, move: str, line: str, best: str) -> list[str]:
    """Return the reasons against a move beside the first one of a better line."""
    better, *then = best.split()
    remarks = explain(Position.parse(text), move, 20, better=better, line=line.split(), better_line=then)
    return [remark.text for remark in remarks if not remark.is_good]


QUIET = "-----------X-O-----XXOXX--OOOOOX---OOOXX----OOXX----OO-X-----O-- X"


def test_what_the_lines_lead_to() -> None:
    texts = against(QUIET, "b4", "e2 c5 c3 d7 d6 e1", "d8 d6 f1 c2 c3 d1 e1")
    assert texts == [
        "leads to 10 moves for Black and 17 for White with e2 c5 c3 d7 d6 e1; d8 leads to 9 and 7",
        "leaves c3 to White, who plays it with e2 c5 c3; Black takes it with d8 d6 f1 c2 c3",
    ]
    assert against(QUIET, "b4", "e2 c5", "d8 d6 f1 c2 c3 d1 e1") == []  # too short to say something


def test_a_pass_that_a_line_makes() -> None:
    position = "X-OOO---OXOOO---OXXXOO--OXOXOOO-OXOOXOOO-XOXXXOO-XXOOO-OOXOOOO-- O"
    texts = against(position, "a6", "b1 -- a7 -- g7 g8", "a7 b1 a6 h3 g3 h4 h2")
    assert "makes White pass after b1" in texts
    assert (
        "leads to 1 stable disc for White and 15 for Black with b1 -- a7 -- g7 g8; a7 leads to 15 and 4" in texts
    )


def test_a_corner_that_the_move_itself_takes_is_not_missed() -> None:
    position = "--XXOX----XXXXXX-OOXXOXX-OXXOXXXOXXXXXXX--XOOXXX--OOOOXX-OOOOO-- O"
    texts = against(position, "h8", "a3 h1 g1 b2 g8 b1", "b7 b6 h8 a8 h1 g1 b2")
    assert not any("corner h8" in text for text in texts)
    other = against(position, "a4", "a3 h1 h8 b2 g8 b1", "b7 b6 h8 a8 h1 g1 b2")
    assert not any("corner h8" in text for text in other)


def test_a_square_beside_a_corner_that_the_mover_takes_later() -> None:
    position = Position.parse("--X-O-XX-OOOOXXX-OOOXXOX-OXOXXOX-OXXOOXXOOXOOOXX-OOXXXXX-OOOOOOO X")
    line = ["f1", "d1", "--", "a8", "a7", "a1"]
    assert Feature.C_SQUARE in about(position, "b1")
    assert Feature.C_SQUARE not in {remark.feature for remark in explain(position, "b1", 20, line=line)}


def test_small_differences_say_nothing() -> None:
    position = "----------X-X----O-XXO---XXXXX----XOOOOO--OXOXO---XOXX---XXXXX-- O"
    after, then = (Position.parse(position).play(move) for move in ("e1", "g3"))
    assert after.legal_moves.placements.bit_count() == then.legal_moves.placements.bit_count() - 1
    assert against(position, "e1", "", "g3") == []
    assert "leaves Black 14 moves; e1 leaves 13" not in against(position, "g3", "", "e1")


def test_the_strongest_reason_against_comes_first_beside_a_better_move() -> None:
    position = Position.parse("OXX--------XXX--XXXXXXX-XXXXXXX-XXXOOOX-XXOOO---XOOOO-----OOO--- O")
    said = 0
    for move in position.legal_moves:
        for better in position.legal_moves:
            remarks = explain(position, move, 20, better=better)
            if move == better or all(remark.is_good for remark in remarks):
                continue
            assert not remarks[0].is_good
            assert remarks[0].weight == min(remark.weight for remark in remarks)
            rest = [abs(remark.weight) for remark in remarks[1:]]
            assert rest == sorted(rest, reverse=True)
            said += rest[:1] > [-remarks[0].weight]
            for count in (1, 2, 3):
                assert explain(position, move, count, better=better) == remarks[:count]
    assert said


def test_a_corner_taken_too_early_begins_with_the_reason_against_it() -> None:
    position = Position.parse("-XXXXXX---XOOX--XXXOXOOOXXOOXOOOXXXOOOXOXOXXXOOOX-XXOOOO-XXXXX-- X")
    line, best = "g8 h2 a8 b7 a2 b2 a1 g2 h1", "h1 h2 a1 b7 a8 h8 g8 -- a2 b2"
    remarks = explain(position, "h8", 20, better="g2", line=line, better_line=best)
    texts = [str(remark) for remark in remarks]
    assert texts[0].startswith("- goes into a region of 2: g2 in the region of 3 empty squares")
    assert texts[1] == "+ takes the corner h8, a disc that can never be flipped"
    assert "- h8 can wait: White cannot play there now or after g2" in texts


def test_praise_does_not_stand_beside_its_opposite() -> None:
    position = Position.parse("---XO------OXO-O---OOXOOOXXOOOOOOOXOXOOOOOOOOOOOO-XOXXX----OO--- O")
    alone = [remark.text for remark in explain(position, "a3", 20)]
    assert "leaves Black few moves: 5, where others leave 7.2" in alone
    beside = [remark.text for remark in explain(position, "a3", 20, better="f1")]
    assert "leaves Black 5 moves; f1 leaves 4" in beside
    assert not any("few moves: 5" in text for text in beside)


def test_a_corner_taken_later_is_not_missed() -> None:
    """Black answers, and White takes h8 all the same, in the tenth move."""
    position = "----XXXX---XXXXOX-XXXXXOXOOXOOXOXOXOOOXOXXOOOOXXX-OXXO----OOOO-- O"
    line, best = "b3 c1 d1 c2 b1 a1 a2 a8 g8 h8 g7 h7 b7 -- b8", "b3 c2 c1 d1 b2 g7 h8 a2 h7 g8"
    assert "misses the corner h8: White takes it with b3 c2 c1 d1 b2 g7 h8" in against(
        position, "b2", line[:18], best
    )
    assert not any("corner h8" in text for text in against(position, "b2", line, best))
    next_move = "--XXXXX-X-XXXXXXXXXXXXXXXXXXXXXXXXOXXXXXXOXXOXXXXOOOXOX-XOOOOOOX O"
    texts = against(next_move, "h7", "-- h1 -- b1 b2 a1", "h1 -- b2 a1 b1 -- h7")
    assert texts == ["h7 can wait: Black cannot play there now or after h1"]
    assert "does not take the corner h1" in against(next_move, "h7", "", "h1")


def test_a_corner_lost_later_in_both_lines_costs_less() -> None:
    position = Position.parse("--X--XXX--XXXOOOXXXXOXOOOXXOXOXXOOOXXXXXXXXOOOOO--XXO----XXXX--- O")
    best = "d1 b1 f8 b2 f7 b7 a8 a7 h7 h8"
    for line, weight in (("", -7.0), (best, -3.5)):
        remarks = explain(position, "b7", 20, better="e1", better_line=line)
        lost = {remark.text: remark.weight for remark in remarks if remark.feature is Feature.GIVES_CORNER}
        assert lost["lets Black take the corner a8"] == weight


def test_the_square_beside_a_corner_that_the_better_move_loses() -> None:
    position = "XOOOOOOOXXOOOOO-XXXOOOO-XXXXOOOOXOXXOOOOXOOOXO-XX-OOOX---OOO-XX- O"
    assert Feature.C_SQUARE in about(Position.parse(position), "h7")
    texts = against(position, "h7", "g6 g7 h8 -- h3 h2 e8 b7 a8", "g7 h8 g6 h2 h3 h7 -- e8 b7 a8")
    assert texts == ["leaves g6 to Black, who plays it at once; White takes it with g7 h8 g6"]


def test_the_square_beside_a_corner_that_the_better_line_plays_too() -> None:
    position = "---XXXX---XXXX--X-OXXOXX-XXXXOXX-XXXXXOX-XXXXOOX--XOOO---X-OOOO- O"
    assert Feature.X_SQUARE in about(Position.parse(position), "b7")
    texts = against(position, "b7", "b3 a4 a5", "b1 b3 b7 h7 a4 a5 a6")
    assert texts == ["b7 can wait: Black cannot play there now or after b1"]


def test_a_move_that_comes_later_in_the_better_line() -> None:
    position = "--XXX---X-XXO--XXXXOOOXXXXXOOXOXXXOOOXXXXXOXXXXX-OOOXX----OOOX-- O"
    texts = against(position, "g8", "f1 g7 f2 g2 h8", "g2 g1 g7 f1 g8 h8 a7")
    assert "g2 comes first: White plays g2 g1 g7 f1 g8" in texts


def test_edge_discs_that_could_be_flipped_before_are_no_reason() -> None:
    position = Position.parse("-------------X-----OOX-O---OOXO----OOOXO---OOXXX----X------X---- O")
    before = position.with_to_move(Color.BLACK)
    assert [str(square) for square in before.flips(Square("h4")) if on_edge(square, position)] == ["h5"]
    assert Feature.EDGE not in about(position, "f8")


def test_an_answer_that_leaves_no_fewer_moves_than_after_the_better_move() -> None:
    position = "-----O------XO-O--XXOOOO-XXXXOOO--XXXOOO-OOXXXOO-XXXXXXO--OXXO-- O"
    answered = "lets Black answer a7: White has 9 moves then, and 13 now"
    after, then = (
        Position.parse(position).play(first).play(second) for first, second in (("e1", "a7"), ("a8", "b8"))
    )
    assert after.legal_moves.placements.bit_count() == 9
    assert then.legal_moves.placements.bit_count() <= 10
    assert answered in against(position, "e1", "a7", "a8")
    assert answered not in against(position, "e1", "a7", "a8 b8")


def test_a_corner_that_the_opponent_takes_all_the_same_is_no_praise() -> None:
    position = Position.parse("-XXXXX--O-XXOOOXOOOXXOOXOXOXOXXXOOOXXXXXOOOXXOXX---XXX----XXXX-- O")
    assert about(position, "g8")[Feature.DENIES_CORNER].text == "keeps Black out of the corner h1"
    line = "c7 b8 g7 b2 h1"
    assert Feature.DENIES_CORNER not in {remark.feature for remark in explain(position, "g8", 20, line=line)}


def test_what_is_said_of_lines_is_so() -> None:
    said = dict.fromkeys(("leads", "misses the", "misses that", "makes"), 0)
    for seed in range(250):
        random = Random(seed)
        position = random_walk(Position(), 15 + seed % 40, random)
        if position.is_over or len(position.legal_moves) < 2:
            continue
        mover = position.to_move
        walks = []
        for first in list(position.legal_moves)[:2]:
            walk: list[tuple[Move, Position]] = [(first, position.play(first))]
            while not walk[-1][1].is_over and len(walk) < 7:
                move = walk[-1][1].legal_moves.choice(random)
                walk.append((move, walk[-1][1].play(move)))
            walks.append(walk)
        (played, best), ends = walks, [walk[-1][1] for walk in walks]
        texts = explain(
            position,
            played[0][0],
            20,
            better=best[0][0],
            line=[move for move, _ in played[1:]],
            better_line=[move for move, _ in best[1:]],
        )
        for remark in texts:
            text = remark.text
            if found := re.fullmatch(
                rf"leads to (\d+) moves? for {mover} and (\d+) for \w+ with .*; .. leads to (\d+) and (\d+)", text
            ):
                said["leads"] += 1
                ends = [walk[min(len(played), len(best)) - 1][1] for walk in walks]
                own = [end.with_to_move(mover).legal_moves.placements.bit_count() for end in ends]
                theirs = [end.with_to_move(mover.opponent).legal_moves.placements.bit_count() for end in ends]
                assert [own[0], theirs[0], own[1], theirs[1]] == [int(number) for number in found.groups()]
                assert own[0] - theirs[0] < own[1] - theirs[1]
            if found := re.fullmatch(rf"misses the corner (..): {mover} takes it with (.*)", text):
                said["misses the"] += 1
                steps = found[2].split()
                assert steps == [str(move) for move, _ in best[: len(steps)]]
                assert steps[-1] == found[1]
                assert found[1] not in [str(move) for move, _ in played[:1]]
            if found := re.fullmatch(rf"misses that {mover.opponent} must pass after (.*)", text):
                said["misses that"] += 1
                after = best[len(found[1].split()) - 1][1]
                assert not after.legal_moves.placements
                assert after.to_move is mover.opponent
            if found := re.fullmatch(rf"makes {mover} pass after (.*)", text):
                said["makes"] += 1
                after = played[len(found[1].split())][1]
                assert not after.legal_moves.placements
                assert after.to_move is mover
    assert all(said.values()), said


def test_a_corner_that_the_opponent_can_take_anyway_is_not_lost_by_the_square_beside_it() -> None:
    position = Position.parse("--O-OXX---XXOO----XXOOOO--XOOOOO--XOOOOO-XXXXXOO--XXXX-O--XXXX-- X")
    assert position.with_to_move(Color.WHITE).is_legal("h1")
    assert position.play("g2").is_legal("h1")
    assert Feature.X_SQUARE not in about(position, "g2")


def test_a_corner_that_the_better_line_takes() -> None:
    position = "--OOOO----XOOO--X-XXOOOO-OXXXOOOOXXXXOOOOOXXOXOOOOOOOOX---XXXX-- O"
    texts = against(position, "b1", "b3 g8 h8 h7 g2 h2", "b3 a4 a2 h7 h8 a8")
    assert "costs the corner h8: Black takes it with b3 g8 h8" in texts
    assert "misses the corner h8: White takes it with b3 a4 a2 h7 h8" in texts


def test_each_reason_has_a_rule_of_thumb() -> None:
    assert set(_RULES) == set(Feature)
    position = board("-------- -------- --O----- ---X---- ----O--- -------- -------- -------- X")
    x_square, better = Square("b2"), next(move for move in position.legal_moves if str(move) != "b2")
    against = [remark for remark in explain(position, x_square, better=better) if not remark.is_good]
    assert rule_of_thumb(position, x_square, better) == _RULES[against[0].feature]
    corner = board("-OX----- -OX----- -------- -------- -------- -------- -------- -------- X")
    assert rule_of_thumb(corner, Square("a2"), Square("a1")) == _RULES[Feature.CORNER]
    misere = position.with_rules(parse_rules("othello,misere"))
    assert rule_of_thumb(misere, x_square, better) == ""
