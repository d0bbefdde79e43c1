#!/usr/bin/env bash
# Make the files of this folder with the version of the program that is installed: make.sh EXAMPLES
set -eu
reversi() { python -m reversi "$@"; }
examples=$1
grep -v '^%' "$examples/endgames.obf" | head -4 > endgames.obf
python - "$examples/games.pgn" <<END
import pathlib, sys
games = pathlib.Path(sys.argv[1]).read_text().split("[Event")
pathlib.Path("games.pgn").write_text("[Event" + "[Event".join(games[1:4]).rstrip() + "\n")
END
echo '-XXXXX---OOOOX--XOOXOOOO-OXOOOO-OOXOOX--OOX-OOOOOXXXXXX-X----XXX X;' > harder.obf

# complete
head -2 endgames.obf | reversi solve - --threads 1 --output results.jsonl
reversi analyze games.pgn#3 --level 2 --exact-from 8 --threads 1 --output analyses.jsonl
reversi db import games.pgn --db games.duckdb
gzip -9 -c games.duckdb > "games.duckdb-$(python -c 'import duckdb; print(duckdb.__version__)').gz"
rm games.duckdb
reversi book make games.pgn --games 2 --plies 6 --depth 4 --output small.book
sed -n 2p endgames.obf | reversi prove - --leaf-empties 6 --proof position.proof

# interrupted
timeout -s INT 2 python -m reversi book make games.pgn --games 1 --plies 30 --depth 24 --output half.book || true
reversi prove harder.obf --frontier-empties 13 --threads 1 --total-time 0.4 --store position.sqlite || true
reversi match 1 2 --games 4 --adjudicate 20 --save match.pgn
python - <<END
import pathlib
games = pathlib.Path("match.pgn").read_text().split("[Event")
pathlib.Path("match.pgn").write_text("[Event".join(games[:4]))
END
printf 'f5\nd6\nc3\n' | reversi play --white human --black human --clock 5:00+3 --quiet --state state
printf 'f5\n' | reversi play --white human --black human --flipping manual --quiet --state state
reversi train make games.pgn --count 2 --level 4 --state state
printf 'd2\n' | reversi train play --state state
mv state/training/*.json .
set -- state/games/*
mv "$1" timed.sitting
mv "$2" flips.sitting
rm -r state
