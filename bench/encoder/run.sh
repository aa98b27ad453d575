#!/usr/bin/env bash
# usage: bench/encoder/run.sh --data DIR [--help and more]
#
# Compares the encoder with its peers, interleaved, and writes a table and a JSON file into docs/benchmarks/. The first time it
# sets up its own Python environment (.venv, 6 GB: on Linux, PyTorch's package brings CUDA libraries, which are not used) and
# makes the peers' models from the bundled weights (.cache, 0.6 GB).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$here/.venv/bin/python

if ! cmp -s "$here/requirements.txt" "$here/.venv/requirements.txt"; then
  echo "setting up $here/.venv: some minutes" >&2
  python3 -m venv "$here/.venv"
  "$here/.venv/bin/pip" install --quiet --requirement "$here/requirements.txt"
  cp "$here/requirements.txt" "$here/.venv/requirements.txt"
fi
mkdir -p "$here/.cache"
(cd "$here/.." && CGO_ENABLED=0 go build -o "$here/.cache/encoder" ./encoder)
exec "$python" "$here/run.py" "$@"
