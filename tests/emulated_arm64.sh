#!/usr/bin/env bash
# The compiled modules and the tests on an emulated 64-bit ARM, from an x86-64 Debian machine: cross-compiles what HEAD
# has, fetches Debian's Python for arm64 into a temporary folder, and runs the given tests (a few by default) with it.
#
#   tests/emulated_arm64.sh [PYTEST ARGUMENTS]
#
# Needs qemu-aarch64 and aarch64-linux-gnu-gcc (Debian: qemu-user, gcc-aarch64-linux-gnu, libc6-dev-arm64-cross), Cython
# in $PYTHON, and the network.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PYTHON=$(command -v "${PYTHON:-python3}")
PYTHON=$(cd "$(dirname "$PYTHON")" && pwd)/$(basename "$PYTHON")
unset PYTHONPATH PYTHONHOME REVERSI_ISA
for tool in qemu-aarch64 aarch64-linux-gnu-gcc apt-get dpkg-deb; do
    command -v $tool >/dev/null || { echo "needs $tool" >&2; exit 2; }
done
[ $# -gt 0 ] || set -- tests/core/test_perft.py tests/evaluation/test_evaluation.py tests/test_golden.py tests/solver/test_solver_oracle.py \
    tests/solver/test_batch.py tests/selfcheck/test_doctor.py tests/cli/test_cli_solve.py

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "== Python for arm64"
mkdir -p "$work"/apt/{lists/partial,archives/partial} "$work"/{debs,arm64,site,package}
touch "$work/apt/status"
apt() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root \
        -o Dir::State="$work/apt" -o Dir::State::status="$work/apt/status" -o Dir::Cache="$work/apt" "$@"
}
apt update
version=$(apt-cache -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$work/apt" \
    -o Dir::State::status="$work/apt/status" -o Dir::Cache="$work/apt" depends python3 |
    sed -n 's/.*Depends: python\(3\.[0-9]*\)$/\1/p' | head -n 1)
(
    cd "$work/debs"
    apt download "python$version"{,-minimal} "libpython$version"{,-minimal,-stdlib,-dev} libc6 libgcc-s1 zlib1g \
        libexpat1 libssl3 libffi8 libbz2-1.0 liblzma5 libsqlite3-0 libuuid1 libcrypt1 libncursesw6 libtinfo6 \
        libreadline8
    for deb in *.deb; do dpkg-deb -x "$deb" "$work/arm64"; done
)
"$PYTHON" -m pip install -qq --target "$work/site" --only-binary=:all: --python-version "$version" \
    --platform manylinux_2_17_aarch64 --platform manylinux_2_28_aarch64 \
    pytest pytest-timeout pytest-xdist hypothesis lazy-loader packaging typer platformdirs
# the processes that tests start are emulated too
printf '#!/bin/sh\nexec qemu-aarch64 -L %q %q "$@"\n' "$work/arm64" "$work/arm64/usr/bin/python$version" >"$work/python"
chmod +x "$work/python"
echo "import sys; sys.executable = '$work/python'" >"$work/site/sitecustomize.py"

echo "== Compiled modules"
git -C "$root" archive HEAD | tar -x -C "$work/package"
cd "$work/package/src/reversi"
tag=cpython-${version/./}-aarch64-linux-gnu
for module in _core _kernel/neon; do
    "$PYTHON" -m cython -3 $module.pyx
    aarch64-linux-gnu-gcc -shared -fPIC -O3 -fno-strict-aliasing -Wno-unused-function -pthread \
        $([ $module = _core ] && echo -DRV_PORTABLE) -I. -I"$work/arm64/usr/include/python$version" \
        -I"$work/arm64/usr/include" -o $module.$tag.so $module.c
done

echo "== Tests"
cd "$work/package"
export PYTHONPATH=$work/package/src:$work/site PYTHONDONTWRITEBYTECODE=1
"$work/python" -c 'from reversi._core import ISA; assert ISA == "neon", ISA'
"$work/python" -m pytest -q -n 0 -p no:cacheprovider --timeout 0 "$@"
