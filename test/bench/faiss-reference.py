"""Neighbour graph and single queries by faiss on the vectors of a file: python faiss-reference.py FILE DIM K; prints JSON."""

import json
import sys
import time

import faiss
import numpy as np

file, dim, k = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
vectors = np.fromfile(file, dtype=np.float32).reshape(-1, dim)
faiss.omp_set_num_threads(2)
sample = np.random.default_rng(1).choice(len(vectors), 256, replace=False)
queries = sample[:40]
exact = faiss.IndexFlatIP(dim)
exact.add(vectors)
truth = exact.search(vectors[sample], k + 1)[1]


def query_ms(index):
    times = []
    for row in queries:
        started = time.perf_counter()
        index.search(vectors[row : row + 1], 100)
        times.append((time.perf_counter() - started) * 1000)
    return sorted(times)[len(times) // 2]


def measure(index, train):
    started = time.perf_counter()
    if train:
        index.train(vectors)
    index.add(vectors)
    found = np.concatenate([index.search(part, k + 1)[1] for part in np.array_split(vectors, 20)])
    seconds = time.perf_counter() - started
    hits = sum(len(set(found[row]) & set(wanted)) for row, wanted in zip(sample, truth))
    return {"graph_s": seconds, "recall": hits / truth.size, "query_ms": query_ms(index)}


lists = int(len(vectors) ** 0.5)
inverted = faiss.IndexIVFFlat(faiss.IndexFlatIP(dim), dim, lists, faiss.METRIC_INNER_PRODUCT)
inverted.nprobe = 8
hnsw = faiss.IndexHNSWFlat(dim, 32, faiss.METRIC_INNER_PRODUCT)
print(
    json.dumps(
        {
            "version": faiss.__version__,
            "exact_query_ms": query_ms(exact),
            "ivf_8_probes": measure(inverted, True),
            "hnsw_32": measure(hnsw, False),
        }
    )
)
