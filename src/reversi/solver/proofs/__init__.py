"""Proofs that others can check: certificates, how they are made and checked.

>>> from reversi import Position, parse_rules
>>> from reversi.solver import check_certificate, prove
>>> certificate = prove(Position(parse_rules("othello,board=4x4")), leaf_empties=6)
>>> certificate.lower, certificate.upper
(-10, -10)
>>> check_certificate(certificate).leaves > 0
True
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
