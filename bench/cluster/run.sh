#!/usr/bin/env bash
# usage: run.sh PYTHON   (with requirements.txt installed) compares k-means with faiss and
# scikit-learn, and times the themes of 10,000 and 100,000 vectors.
set -eu
python=$1
cd "$(dirname "$0")"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
go build -o "$work/cluster" .
"$work/cluster" vectors -n 10000 -out "$work/10k.f32"
for k in 12 50; do
	GOMAXPROCS=1 "$work/cluster" kmeans -in "$work/10k.f32" -k "$k" -rounds 25
	"$python" peers.py "$work/10k.f32" "$k" 25
done
"$work/cluster" themes -in "$work/10k.f32" -k 12
"$work/cluster" themes -in "$work/10k.f32"
"$work/cluster" vectors -n 100000 -out "$work/100k.f32"
"$work/cluster" themes -in "$work/100k.f32" -k 12
