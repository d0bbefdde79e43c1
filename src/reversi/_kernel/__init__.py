"""The kernel compiled per instruction set: ``v3``, ``v4``, ``neon``; ``reversi._core`` picks one."""
