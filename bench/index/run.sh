#!/usr/bin/env bash
# usage: run.sh SET...     SET is clustered-50k, clustered-200k, clustered-1M or scifact
#
# Makes the data (kept in $DATA), runs our index and its peers on it, and writes the table, the figures and the plot into
# docs/benchmarks/. $PYTHON needs requirements.txt; build hnswlib for this processor:
#   CFLAGS='-march=native -O3' pip install --no-binary hnswlib -r requirements.txt
# $SHARED is the shared data's folder (for scifact), $EFC the peers' efConstruction (200, at a million 100).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=${DATA:-$here/data}
python=${PYTHON:-python3}
mkdir -p "$data"
(cd "$here/.." && go build -o "$data/program" ./index)
for set in "$@"; do
	engines= efc=200
	case $set in
	clustered-50k) n=50000 ;;
	clustered-200k) n=200000 engines="akin:16 akin:24 hnswlib:16 hnswlib:24 faiss-sq8:16 usearch-f32:16 usearch-i8:16 akin-flat faiss-flat" ;;
	clustered-1M) n=1000000 engines="akin:16 akin:24 hnswlib:16 akin-flat" efc=100 ;;
	scifact) n= ;;
	*) echo "unknown set $set" >&2; exit 2 ;;
	esac
	if [ ! -e "$data/$set/truth.u32" ]; then
		if [ "$n" ]; then "$data/program" clustered "$n" "$data/$set"
		else "$data/program" sentences "${SHARED:-$here/../../../shared}/data/scifact/corpus-part*.jsonl" "$data/$set"; fi
	fi
	# shellcheck disable=SC2086
	EFC=${EFC:-$efc} "$python" "$here/run.py" "$data/program" "$data/$set" "$here/../../docs/benchmarks/index-$set" $engines
done
