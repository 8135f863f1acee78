"""k-means and average linkage of scipy on vectors of a file, each in as many clusters as asked: prints the cluster of each row as JSON.

usage: clusters-reference.py FILE DIM COUNTS
"""

import json
import sys
import time

import numpy
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.cluster.vq import kmeans2

file, dim, counts = sys.argv[1], int(sys.argv[2]), [int(count) for count in sys.argv[3].split(",")]
vectors = numpy.fromfile(file, dtype=numpy.float32).reshape(-1, dim).astype(numpy.float64)

started = time.monotonic()
tree = linkage(vectors, method="average", metric="cosine")
average = [fcluster(tree, count, criterion="maxclust").tolist() for count in counts]
average_s = time.monotonic() - started

started = time.monotonic()
means = [kmeans2(vectors, count, iter=50, minit="++", seed=7, missing="warn")[1].tolist() for count in counts]
means_s = time.monotonic() - started

print(json.dumps({"average_linkage": average, "average_linkage_s": average_s, "k_means": means, "k_means_s": means_s}))
