"""One of the peers, in the protocol of main.go: python worker.py ENGINE DIR M EFC.

Builds with efConstruction EFC, keeps the index in DIR, then answers each line of stdin, an ef, by running all queries on one thread,
twice: the second time counts.
"""
import json
import os
import sys
import time

import numpy as np

DIM = 384
name, folder, m, efc = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
threads = int(os.environ.get("THREADS", "2"))


def read(file, kind):
    return np.fromfile(os.path.join(folder, file), dtype=kind)


def rss():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


before = rss()
queries = read("queries.f32", np.float32).reshape(-1, DIM)
truth = read("truth.u32", np.uint32).reshape(-1, 10)
path = os.path.join(folder, f"{name}-{m}-{efc}.index")
stats = {}


def built(build, save):
    """Builds once, with the times it took kept beside the index."""
    if os.path.exists(path):
        with open(path + ".json") as f:
            stats.update(json.load(f))
        return
    vectors = read("vectors.f32", np.float32).reshape(-1, DIM)
    wall, cpu = time.time(), time.process_time()
    index = build(vectors)
    stats.update(build_wall=time.time() - wall, build_cpu=time.process_time() - cpu)
    save(index)
    with open(path + ".json", "w") as f:
        json.dump(stats, f)


if name == "hnswlib":
    import hnswlib

    def build(vectors):
        index = hnswlib.Index(space="ip", dim=DIM)
        index.init_index(max_elements=len(vectors), ef_construction=efc, M=m)
        index.set_num_threads(threads)
        index.add_items(vectors)
        return index

    built(build, lambda index: index.save_index(path))
    start = time.time()
    index = hnswlib.Index(space="ip", dim=DIM)
    index.load_index(path)
    index.set_num_threads(1)

    def search(ef):
        index.set_ef(ef)
        return index.knn_query(queries, k=10, num_threads=1)[0]

elif name in ("faiss-sq8", "faiss-flat"):
    import faiss

    def build(vectors):
        faiss.omp_set_num_threads(threads)
        if name == "faiss-flat":
            index = faiss.IndexFlatIP(DIM)
        else:
            index = faiss.IndexHNSWSQ(DIM, faiss.ScalarQuantizer.QT_8bit, m, faiss.METRIC_INNER_PRODUCT)
            index.hnsw.efConstruction = efc
            index = faiss.IndexRefineFlat(index)
        index.train(vectors)
        index.add(vectors)
        return index

    built(build, lambda index: faiss.write_index(index, path))
    faiss.omp_set_num_threads(1)
    start = time.time()
    index = faiss.read_index(path)

    def search(ef):
        if name == "faiss-flat":
            return index.search(queries, 10)[1]
        inner = faiss.SearchParametersHNSW(efSearch=ef)
        return index.search(queries, 10, params=faiss.IndexRefineSearchParameters(k_factor=2, base_index_params=inner))[1]

elif name in ("usearch-f32", "usearch-i8"):
    from usearch.index import Index

    def make():
        return Index(ndim=DIM, metric="ip" if name.endswith("f32") else "cos", dtype=name[8:], connectivity=m, expansion_add=efc)

    def build(vectors):
        index = make()
        index.add(np.arange(len(vectors)), vectors, threads=threads)
        return index

    built(build, lambda index: index.save(path))
    start = time.time()
    index = make()
    index.load(path)

    def search(ef):
        index.expansion_search = ef
        return index.search(queries, 10, threads=1).keys

else:
    sys.exit(f"engine {name}")

search(64)
stats["first_answers_ms"] = (time.time() - start) * 1e3
stats["rss_before"] = before
print(json.dumps(stats), flush=True)
for line in sys.stdin:
    search(int(line))
    cpu = time.process_time()
    ids = search(int(line))
    us = (time.process_time() - cpu) * 1e6 / len(queries)
    found = sum(len(np.intersect1d(a, b)) for a, b in zip(ids, truth))
    print(json.dumps({"recall": found / truth.size, "us": us, "rss": rss()}), flush=True)
