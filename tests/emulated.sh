#!/usr/bin/env bash
# The wheel on processors that are not there: builds it (or takes the one given), installs it into a fresh environment,
# and solves the first example and a deeper position under qemu's models of old and new CPUs. Each must choose the build
# that fits it, and find what this machine finds, with the same number of nodes.
#
#   tests/emulated.sh [WHEEL]        PYTHON=python3.13 tests/emulated.sh
#
# Needs qemu-x86_64 7.2 or newer (Debian: qemu-user), whose models have AVX2 and leave out AVX-512.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
wheel=${1:+$(realpath "$1")}
PYTHON=${PYTHON:-python3}
unset PYTHONPATH PYTHONHOME REVERSI_ISA
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
command -v qemu-x86_64 >/dev/null || { echo "needs qemu-x86_64 (Debian: apt-get install qemu-user)" >&2; exit 2; }
[ "$(uname -m)" = x86_64 ] || { echo "needs an x86-64 machine: the wheel is built for this one" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$wheel" ]; then
    # only what a clone would have: nothing that was built in place
    mkdir "$work/source"
    git -C "$root" archive HEAD | tar -x -C "$work/source"
    "$PYTHON" -m pip wheel -qq --no-deps -w "$work/dist" "$work/source"
    wheel=$(echo "$work"/dist/*.whl)
fi
"$PYTHON" -m venv "$work/venv"
"$work/venv/bin/pip" install -qq "$wheel"
cd "$work"
sed -n 3p "$root/examples/endgames.obf" >first.obf
# with 18 empties the learned evaluation and the selective passes take part; from a random game
echo '-OOOOOOOOOOOOX----XOXOO--OOXOOOO--OOOOOO-XOOOOOO----OOXO----OOOO X' >deep.obf

answer() { # CPU model, or nothing for this machine: the build chosen, and what it finds; several fields in a line
    local emulator=()
    [ -z "$1" ] || emulator=(qemu-x86_64 -cpu "$1")
    for file in first.obf deep.obf; do
        "${emulator[@]}" "$work/venv/bin/python" -m reversi solve "$file" --threads 1 --json 2>"$work/err" |
            "$work/venv/bin/python" -c '
import json, sys
one = json.load(sys.stdin)
print(one["isa"], one["score"], one["kind"], one["nodes"], *one["pv"][:1])'
    done | tr '\n' ' '
}

native=$(answer "")
printf '%-16s %s\n' "this machine" "$native"
status=0
while read -r model expected; do
    found=$(answer "$model") || { printf '%-16s FAILED: %s\n' "$model" "$(tail -n 1 "$work/err")"; status=1; continue; }
    printf '%-16s %s\n' "$model" "$found"
    [ "${found%% *}" = "$expected" ] || { echo "  expected $expected" >&2; status=1; }
    # the same but for the build
    [ "$(sed -E 's/(x86-64-v[34]|portable) //g' <<<"$found")" = "$(sed -E 's/(x86-64-v[34]|portable) //g' <<<"$native")" ] ||
        { echo "  not what this machine finds" >&2; status=1; }
done <<'MODELS'
core2duo portable
Conroe portable
Nehalem portable
SandyBridge portable
Opteron_G5 portable
Denverton portable
Haswell x86-64-v3
EPYC x86-64-v3
EPYC-Milan x86-64-v3
Skylake-Server x86-64-v3
Icelake-Server x86-64-v3
max x86-64-v3
MODELS
[ $status = 0 ] && echo "all models choose the build that fits, and agree"
exit $status
