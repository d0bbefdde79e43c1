"""Write a bot and let it play a game against the engine.

python examples/scripts/own_bot.py
"""

from reversi import ClockReading, Color, Move, Position, Session, Side


class Mobility:
    """Leaves the opponent as few moves as possible."""

    def choose(self, position: Position, clock: ClockReading | None = None) -> Move:
        """Return the move to play."""
        return min(position.legal_moves, key=lambda move: len(position.play(move).legal_moves))


session = Session(sides={Color.BLACK: Side.of(Mobility()), Color.WHITE: Side.engine(level=1)})
session.begin()
while not session.is_over:
    session.play_engine()
print(session.game.outcome)
