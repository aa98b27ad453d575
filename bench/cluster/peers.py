"""k-means of faiss and scikit-learn from the same start, one thread.

usage: peers.py VECTORS K ROUNDS   -> one JSON object a line: engine, cpu_seconds, objective
"""
import json
import sys
import time

import faiss
import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

DIM = 384


def objective(x, labels, k):
    """Mean cosine of a vector with the unit mean of its group."""
    sums = np.zeros((k, DIM))
    np.add.at(sums, labels, x)
    centroids = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
    return float((x * centroids[labels]).sum(1).mean())


def main():
    name, k, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    x = np.fromfile(name, dtype="<f4").reshape(-1, DIM)
    start = x[:k].copy()
    faiss.omp_set_num_threads(1)

    def with_faiss():
        km = faiss.Kmeans(DIM, k, niter=rounds, spherical=True, max_points_per_centroid=10**9)
        km.train(x, init_centroids=start)
        return km.index.search(x, 1)[1][:, 0]

    def with_sklearn():
        km = KMeans(k, init=start, n_init=1, max_iter=rounds, tol=0, algorithm="lloyd")
        return km.fit(x).labels_

    with threadpool_limits(1):
        for engine, run in [("faiss", with_faiss), ("scikit-learn", with_sklearn)]:
            best = None
            for _ in range(3):
                before = time.process_time()
                labels = run()
                took = time.process_time() - before
                best = took if best is None else min(best, took)
            print(json.dumps({"engine": engine, "cpu_seconds": best, "objective": objective(x, labels, k)}))


main()
