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
answers = (10, 100, 1000)
exact = faiss.IndexFlatIP(dim)
exact.add(vectors)
truth = exact.search(vectors[sample], k + 1)[1]
query_truth = {n: exact.search(vectors[queries], n)[1] for n in answers}


def query(index):
    figures = {}
    for n in answers:
        times, hits = [], 0
        for row, wanted in zip(queries, query_truth[n]):
            started = time.perf_counter()
            found = index.search(vectors[row : row + 1], n)[1][0]
            times.append((time.perf_counter() - started) * 1000)
            hits += len(set(found) & set(wanted))
        p50 = sorted(times)[len(times) // 2]
        figures[f"query_of_{n}"] = {"p50_ms": p50, "recall": hits / query_truth[n].size}
    return figures


def at_recall(index):
    """HNSW's queries at the least effort whose ten best are right as often as is asked for."""
    for effort in (16, 32, 64, 128, 256, 512, 1024):
        index.hnsw.efSearch = effort
        figures = query(index)
        if figures["query_of_10"]["recall"] >= 0.98:
            break
    return {"ef_search": effort, **figures}


def measure(index, train):
    started, cpu_before = time.perf_counter(), time.process_time()
    if train:
        index.train(vectors)
    index.add(vectors)
    found = np.concatenate([index.search(part, k + 1)[1] for part in np.array_split(vectors, 20)])
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu_before
    hits = sum(len(set(found[row]) & set(wanted)) for row, wanted in zip(sample, truth))
    return {"graph_s": seconds, "graph_cpu_s": cpu, "recall": hits / truth.size, **query(index)}


lists = int(len(vectors) ** 0.5)
inverted = faiss.IndexIVFFlat(faiss.IndexFlatIP(dim), dim, lists, faiss.METRIC_INNER_PRODUCT)
inverted.nprobe = 8
hnsw = faiss.IndexHNSWFlat(dim, 32, faiss.METRIC_INNER_PRODUCT)
print(
    json.dumps(
        {
            "version": faiss.__version__,
            "exact": query(exact),
            "ivf_8_probes": measure(inverted, True),
            "hnsw_32": measure(hnsw, False),
            "hnsw_32_at_recall": at_recall(hnsw),
        }
    )
)
