"""Solving, analyzing and playing on several machines with Dask.

    from reversi.cluster import ClusterBatch, connect

    with connect("tcp://10.0.0.1:8786") as connection, ClusterBatch(positions, connection=connection) as batch:
        for answer in batch:
            print(answer.key, answer.solution.score)

It needs the extra `cluster`: `pip install "reversi-engine[cluster]"`.
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
