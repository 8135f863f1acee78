"""Writes a generated vector for each item of a manifest on a Ray cluster, as an encoder would, for more items than can be encoded here.

    PYTHONPATH=integrations/ray python generated-vectors.py --manifest FILE --results FOLDER --dim DIM

A vector depends only on the id of its item, so a repeated batch has the same vectors. As in photo collections, vectors form clusters of clusters: kinds
of image, their subjects, and scenes of about 30 images. One vector in twenty nearly equals the centre of its scene.
"""

import argparse

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import ray
import ray.data
import results

MODEL = "generated"
COLUMNS = pa.schema([("media_id", pa.string()), ("embedding", pa.list_(pa.float32()))])
BATCH_ROWS = 4096
N_KINDS = 40
SUBJECT_ITEMS, SCENE_ITEMS = 500, 30
COPY_SHARE = 0.05


def mixed(numbers):
    """Scrambles 64-bit numbers (splitmix64)."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def uniform(seeds, nth):
    """Returns numbers from 0 to 1: the `nth` that belong to some seeds."""
    step = np.uint64((nth + 1) * 0xD1B54A32D192ED03 % 2**64)
    return (mixed(seeds + step) >> np.uint64(11)) / 2.0**53


def around(seeds, centres, spread):
    """Returns a point near a random one of some centres for each seed."""
    dim = centres.shape[1]
    at = (uniform(seeds, 0) ** 1.5 * len(centres)).astype(np.int64)
    own = spread * (0.4 + 1.2 * uniform(seeds, 1))
    noise = np.stack([sum(uniform(seeds, 3 * axis + nth) for nth in (2, 3, 4)) - 1.5 for axis in range(dim)], axis=1)
    return centres[at] + own[:, None] * noise


def scenes_of(n_items, dim):
    def seeds(n, layer):
        return mixed(np.arange(n, dtype=np.uint64) + np.uint64(layer << 40))

    kinds = around(seeds(N_KINDS, 1), np.zeros((1, dim)), 1)
    subjects = around(seeds(-(-n_items // SUBJECT_ITEMS), 2), kinds, 0.9)
    return around(seeds(-(-n_items // SCENE_ITEMS), 3), subjects, 0.6)


scenes = {}


def vectors_of(batch, n_items, dim):
    if dim not in scenes:
        scenes[dim] = scenes_of(n_items, dim)
    ids = batch["media_id"].to_pylist()
    halves = np.frombuffer(bytes.fromhex("".join(ids).replace("-", "")), dtype=">u8").reshape(-1, 2).astype(np.uint64)
    seeds = mixed(halves[:, 0] ^ mixed(halves[:, 1]))
    spread = np.where(uniform(seeds, 1000) < COPY_SHARE, 0.02, 0.4)
    vectors = around(seeds, scenes[dim], spread)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    offsets = np.arange(0, len(ids) * dim + 1, dim, dtype=np.int32)
    lists = pa.ListArray.from_arrays(pa.array(offsets), pa.array(vectors.astype(np.float32).ravel()))
    return pa.table({"media_id": ids, "embedding": lists, "problem": pa.nulls(len(ids), pa.string())})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("--manifest", "--results"):
        parser.add_argument(name, required=True)
    parser.add_argument("--dim", type=int, required=True)
    args = parser.parse_args()
    # Only this process can import the module.
    ray.cloudpickle.register_pickle_by_value(results)
    ray.init()
    ray.data.DataContext.get_current().enable_progress_bars = False
    n_items = pyarrow.parquet.read_metadata(args.manifest).num_rows
    parts = results.Parts(args.results, COLUMNS)
    items = ray.data.read_parquet(args.manifest, columns=["media_id"])
    batches = items.repartition(target_num_rows_per_block=BATCH_ROWS)
    how = {"batch_size": BATCH_ROWS, "batch_format": "pyarrow", "fn_args": (n_items, args.dim)}
    batches.map_batches(vectors_of, **how).write_datasink(parts)
    parts.finish({"kind": "embeddings", "model": {"id": MODEL}, "dim": args.dim}, n_items)


if __name__ == "__main__":
    main()
