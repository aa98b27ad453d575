#!/usr/bin/env bash
# usage: run.sh SET...     SET is clustered-50k, clustered-200k, clustered-1M or scifact
#
# Makes the data (kept in $DATA), runs our index and its peers on it, and writes the table, the figures and the plot into
# docs/benchmarks/. $PYTHON needs requirements.txt; build hnswlib for this processor:
#   CFLAGS='-march=native -O3' pip install --no-binary hnswlib -r requirements.txt
# Graphs are built once and kept. $ENGINES asks others than these.
# $SHARED is the shared data's folder (for scifact), $EFC the peers' efConstruction (200, at a million 100).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=${DATA:-$here/data}
python=${PYTHON:-python3}
mkdir -p "$data"
(cd "$here/.." && go build -o "$data/program" ./index)
for set in "$@"; do
	efc=200 graphs="akin:16 akin:24 hnswlib:16 hnswlib:24 faiss-sq8:16"
	engines="$graphs akin:16:200 akin:16:64 usearch-f32:16 usearch-i8:16 akin:24@avx512 akin:24@avx2 akin-flat faiss-flat"
	case $set in
	clustered-50k) n=50000 engines="$engines coder" ;;
	clustered-200k) n=200000 engines="$graphs akin-flat" ;;
	clustered-1M) n=1000000 engines="akin:24 hnswlib:16 akin-flat" efc=100 ;;
	scifact) n= ;;
	*) echo "unknown set $set" >&2; exit 2 ;;
	esac
	if [ ! -e "$data/$set/truth.u32" ]; then
		if [ "$n" ]; then "$data/program" clustered "$n" "$data/$set"
		else "$data/program" sentences "${SHARED:-$here/../../../shared}/data/scifact/corpus-part*.jsonl" "$data/$set"; fi
	fi
	# shellcheck disable=SC2086
	EFC=${EFC:-$efc} "$python" "$here/run.py" "$data/program" "$data/$set" "$here/../../docs/benchmarks/index-$set" ${ENGINES:-$engines}
	if [ "$set" = clustered-1M ]; then "$data/program" self "$data/$set" 24 100 10; fi
done
