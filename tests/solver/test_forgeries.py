"""A hundred forgeries, each with a false statement and right hashes: a check of all leaves finds every one."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from endings import random_ending
from reversi import Color, Position, parse_rules
from reversi._core import alpha_beta
from reversi.rules import Objective
from reversi.solver import Certificate, CertificateError, Statement, check_certificate, prove, read_certificate
from reversi.solver.proofs.certificate import Bound, Relation, certificate_lines

TRUE = [
    prove(random_ending(13, 3), leaf_empties=8),
    prove(Position(parse_rules("othello,board=4x4,optional-skip,full-board")), leaf_empties=6),
    prove(Position(parse_rules("adjacent,board=4x4,start=parallel,misere")), leaf_empties=8),
]


def value_of(position: Position) -> int:
    """The value for the side to move."""
    if position.is_over:
        score = position.count.score
        return score if position.to_move is Color.BLACK else -score
    return alpha_beta(position, -100, 100)[0]


def is_true(bound: Bound) -> bool:
    if bound.position.is_over:
        value = value_of(bound.position)
    else:
        alpha = bound.value - (bound.relation is Relation.AT_LEAST)
        value = alpha_beta(bound.position, alpha, alpha + 1)[0]
    return value >= bound.value if bound.relation is Relation.AT_LEAST else value <= bound.value


def has_falsehood(forgery: Certificate, original: Certificate) -> bool:
    """Whether the claim, or a statement that the original does not make, is false."""
    if not forgery.lower <= value_of(forgery.position) <= forgery.upper:
        return True
    known = {statement.bound for statement in original.statements}
    return not all(is_true(one.bound) for one in forgery.statements if one.bound not in known)


def too_strong(bound: Bound, by: int = 2) -> Bound:
    """A bound that the position misses by some discs."""
    more = by if bound.relation is Relation.AT_LEAST else -by
    return replace(bound, value=value_of(bound.position) + more)


def with_statement(certificate: Certificate, at: int, statement: Statement) -> Certificate:
    statements = list(certificate.statements)
    statements[at] = statement
    return replace(certificate, statements=tuple(statements))


def pick(certificate: Certificate, chance: random.Random, wanted: Callable[[Statement], bool]) -> int:
    return chance.choice([at for at, one in enumerate(certificate.statements) if wanted(one)])


def leaf(certificate: Certificate, chance: random.Random) -> Certificate:
    """A leaf claims too much."""
    at = pick(certificate, chance, lambda one: one.leaf)
    old = certificate.statements[at]
    return with_statement(certificate, at, replace(old, bound=too_strong(old.bound)))


def inner(certificate: Certificate, chance: random.Random) -> Certificate:
    """A statement claims more than follows."""
    at = pick(certificate, chance, lambda one: not one.leaf)
    old = certificate.statements[at]
    return with_statement(certificate, at, replace(old, bound=too_strong(old.bound)))


def chain(certificate: Certificate, chance: random.Random) -> Certificate:
    """A statement claims too much, and so does everything that it follows from, down to the leaves."""
    at = pick(certificate, chance, lambda one: not one.leaf)
    found = {(one.bound.position, one.bound.relation): one for one in certificate.statements}
    waiting = [too_strong(certificate.statements[at].bound)]
    while waiting:
        bound = waiting.pop()
        old = found[bound.position, bound.relation]
        weaker = old.bound.value < bound.value
        if weaker if bound.relation is Relation.AT_LEAST else old.bound.value > bound.value:
            found[bound.position, bound.relation] = replace(old, bound=bound)
            if not old.leaf:
                moves = bound.position.legal_moves if old.move is None else (old.move,)
                after = [bound.position.play(move).canonical() for move in moves]
                waiting += [Bound(position, bound.relation.other, -bound.value) for position in after]
    return replace(certificate, statements=tuple(found.values()))


def claim(certificate: Certificate, chance: random.Random) -> Certificate:
    """The first line claims another value."""
    by = chance.choice((-4, -2, 2, 4))
    return replace(certificate, lower=certificate.lower + by, upper=certificate.upper + by)


def everything(certificate: Certificate, chance: random.Random) -> Certificate:
    """Claim and statements agree on another value: only leaves are false."""
    by = chance.choice((-4, -2, 2, 4))
    statements = []
    for one in certificate.statements:
        more = by if one.bound.position.to_move is certificate.position.to_move else -by
        statements.append(replace(one, bound=replace(one.bound, value=one.bound.value + more)))
    return Certificate(certificate.position, certificate.lower + by, certificate.upper + by, tuple(statements))


def cut(certificate: Certificate, chance: random.Random) -> Certificate:
    """A false leaf stands where there was a reason."""
    at = pick(certificate, chance, lambda one: not one.leaf)
    bound = too_strong(certificate.statements[at].bound)
    return with_statement(certificate, at, Statement(bound, leaf=True))


def move(certificate: Certificate, chance: random.Random) -> Certificate:
    """A move that loses discs, with a false leaf about the position after it."""

    def losing(one: Statement) -> list[Bound]:
        if one.move is None:
            return []
        after = {one.bound.position.play(other).canonical() for other in one.bound.position.legal_moves}
        bounds = [Bound(position, Relation.AT_MOST, -one.bound.value) for position in after]
        return [bound for bound in bounds if not is_true(bound)]

    def can_lose(one: Statement) -> bool:
        return one.move is not None and one.bound.position.empties <= 10 and bool(losing(one))

    at = pick(certificate, chance, can_lose)
    old = certificate.statements[at]
    wrong = min(losing(old), key=lambda bound: bound.position.cells)
    other = next(
        one for one in old.bound.position.legal_moves if old.bound.position.play(one).canonical() == wrong.position
    )
    keys = [(one.bound.position, one.bound.relation) for one in certificate.statements]
    changed = with_statement(certificate, at, replace(old, move=other))
    if (wrong.position, wrong.relation) in keys:
        return with_statement(changed, keys.index((wrong.position, wrong.relation)), Statement(wrong, leaf=True))
    return replace(changed, statements=(*changed.statements, Statement(wrong, leaf=True)))


def extra(certificate: Certificate, chance: random.Random) -> Certificate:
    """A false statement that nothing needs."""
    far = random_ending(7, chance.randrange(1000), certificate.position.rules).canonical()
    false = too_strong(Bound(far, chance.choice(list(Relation)), 0))
    return replace(certificate, statements=(*certificate.statements, Statement(false, leaf=True)))


def relation(certificate: Certificate, chance: random.Random) -> Certificate:
    """A leaf says the contrary."""
    at = pick(certificate, chance, lambda one: one.leaf)
    bound = certificate.statements[at].bound
    contrary = too_strong(replace(bound, relation=bound.relation.other), by=1)
    return with_statement(certificate, at, Statement(contrary, leaf=True))


def rules(certificate: Certificate, chance: random.Random) -> Certificate:
    """The same statements, about another game."""
    old = certificate.position.rules
    other = replace(old, objective=Objective.FEWEST if old.objective is Objective.MOST else Objective.MOST)
    statements = [
        replace(one, bound=replace(one.bound, position=one.bound.position.with_rules(other)))
        for one in certificate.statements
    ]
    return replace(certificate, position=certificate.position.with_rules(other), statements=tuple(statements))


def root(certificate: Certificate, chance: random.Random) -> Certificate:
    """A claim about another position, whose value is another one."""
    while True:
        at = pick(certificate, chance, lambda one: not one.leaf)
        position = certificate.statements[at].bound.position
        if value_of(position) != certificate.lower:
            return replace(certificate, position=position)


FORGERS = (leaf, inner, chain, claim, everything, cut, move, extra, relation, rules, root)


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(len(FORGERS)), ids=[forger.__name__ for forger in FORGERS])
def test_a_hundred_false_statements_are_found(number: int) -> None:
    """One hundred in all, by turns of eleven kinds from three proofs."""
    for seed in range(number, 100, len(FORGERS)):
        chance = random.Random(seed)
        original = TRUE[seed % len(TRUE)]
        forgery = FORGERS[number](original, chance)
        assert has_falsehood(forgery, original)
        lines = list(certificate_lines(forgery))  # with hashes that fit
        with pytest.raises(CertificateError, match=r"^f:\d+") as caught:
            check_certificate(read_certificate(lines, "f"), leaves=None, name="f")
        assert "hash" not in str(caught.value)


def test_the_true_proofs_hold() -> None:
    for certificate in TRUE:
        assert not has_falsehood(certificate, replace(certificate, statements=()))
        check_certificate(read_certificate(certificate_lines(certificate), "f"), name="f")
