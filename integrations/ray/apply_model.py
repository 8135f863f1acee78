"""Applies a model to the items of a Vitrine dataset on a Ray cluster: manifest.parquet in, part-*.parquet and manifest.json out.

    python apply_model.py --manifest DIR/manifest.parquet --model DIR/model --results DIR/results

Each of the three is a folder or file that all nodes reach by the same path, or an `s3://` address. See README.md.
"""

import argparse
import json
import tempfile
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet
import ray
import ray.data
from PIL import UnidentifiedImageError

import images
from graphs import ImageGraph
from outputs import RESULTS
from results import Parts, clear, open_place, read_bytes, reported

# Actors on a GPU leave the CPUs to the tasks that read and write.
GPU_ACTOR_CPUS = 0.1
# Items of a batch between Ray and an actor.
BATCH_ITEMS = 64
FETCH_ATTEMPTS = 4
FETCH_TIMEOUT_S = 60
MAX_IMAGE_BYTES = 1 << 30


def read_definition(model_place, model_id):
    """Returns the definition of a model of a package, the preprocessing with all defaults."""
    models = json.loads(read_bytes(model_place, "vitrine.json"))["models"]
    found = [one for one in models if one["runner"]["kind"] in RESULTS and model_id in (None, one["id"])]
    if not found:
        raise SystemExit(f"{model_place} has no {model_id or 'model'} of the kinds {', '.join(RESULTS)}")
    [definition, *_] = found
    runner = definition["runner"]
    if "input" in runner:
        runner["input"] = images.DEFAULTS | runner["input"]
    return definition


def columns_of(runner):
    return pa.schema([("media_id", pa.string()), *RESULTS[runner["kind"]][1]])


def open_model(folder, runner, uses_gpu):
    if runner["kind"] != "captioner":
        return ImageGraph(folder, runner, uses_gpu)
    # Only captioners need its packages.
    from captions import Captioner

    return Captioner(folder, runner, uses_gpu)


class Model:
    """Fetches and prepares images in threads while the model runs. An actor on GPUs; kept by the worker process on CPUs."""

    def __init__(self, model_place, runner, uses_gpu, progress):
        self.progress, self.columns = progress, columns_of(runner)
        self.threads = ThreadPoolExecutor(4 if uses_gpu else 2)
        files, path = open_place(model_place)
        if not isinstance(files, pyarrow.fs.LocalFileSystem):
            self.copy = tempfile.TemporaryDirectory()
            pyarrow.fs.copy_files(path, self.copy.name, source_filesystem=files)
            path = self.copy.name
        self.model = open_model(path, runner, uses_gpu)

    def __call__(self, batch):
        ids, addresses = batch["media_id"].to_pylist(), batch["uri"].to_pylist()
        prepared = self.threads.map(lambda address: prepare_one(address, self.model), addresses)
        rows, waiting = [], []
        for media_id, (image, problem) in zip(ids, prepared):
            if image is None:
                rows.append({"media_id": media_id, "problem": problem})
                continue
            waiting.append((media_id, image))
            if len(waiting) == self.model.run_size:
                rows += self.run(waiting)
                waiting = []
        if waiting:
            rows += self.run(waiting)
        self.progress.add.remote(ids[0], len(ids))
        return pa.Table.from_pylist(rows, self.columns.append(pa.field("problem", pa.string())))

    def run(self, waiting):
        """Returns the rows of some images."""
        for (media_id, _), found in zip(waiting, self.model.apply([image for _, image in waiting])):
            if found is None:
                yield {"media_id": media_id, "problem": "the model returned no usable vector"}
            for row in found or []:
                yield {"media_id": media_id, **row}


models = {}


def apply_on_cpu(batch, model_place, runner, uses_gpu, progress):
    """Task: loads the model once in each worker process.

    Tasks hold no CPU between batches. An actor that waits for a CPU after its node died would keep the others from reading.
    """
    if model_place not in models:
        models[model_place] = Model(model_place, runner, uses_gpu, progress)
    return models[model_place](batch)


def prepare_one(address, model):
    """Returns the prepared image, or the reason why there is none: one bad image never stops the run."""
    try:
        return model.prepare(fetch(address)), None
    except UnidentifiedImageError:
        return None, "no image in a known format"
    except Exception as error:  # Decoders raise whatever a damaged file leads to.
        return None, f"{type(error).__name__}: {error}"[:300].replace(address, "the address")


def fetch(address):
    """Returns the bytes of an image. Servers that fail or are away are asked again."""
    if not address.startswith(("http://", "https://")):
        files, path = open_place(address)
        with files.open_input_stream(path) as stream:
            return stream.read()
    for attempt in range(1, FETCH_ATTEMPTS + 1):
        try:
            with urllib.request.urlopen(address, timeout=FETCH_TIMEOUT_S) as answer:
                data = answer.read(MAX_IMAGE_BYTES + 1)
            if len(data) > MAX_IMAGE_BYTES:
                raise ValueError("the file is too large")
            return data
        except urllib.error.HTTPError as error:
            if attempt == FETCH_ATTEMPTS or error.code < 500 and error.code != 429:
                raise
        except OSError:
            if attempt == FETCH_ATTEMPTS:
                raise
        time.sleep(2.0 ** (attempt - 1))
    raise AssertionError("unreachable")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--manifest", required=True, help="manifest.parquet that Vitrine wrote")
    parser.add_argument("--model", required=True, help="folder of a model package of Vitrine, with vitrine.json")
    parser.add_argument("--model-id", help="model of the package (default: the first that can run)")
    parser.add_argument("--results", required=True, help="folder for the results")
    parser.add_argument("--gpu", action="store_true", help="one actor per GPU instead of one per CPU")
    args = parser.parse_args()

    definition = read_definition(args.model, args.model_id)
    runner = definition["runner"]
    kind, _ = RESULTS[runner["kind"]]
    ray.init(ignore_reinit_error=True)
    ray.data.DataContext.get_current().enable_progress_bars = False
    clear(args.results)
    files, path = open_place(args.manifest)
    n_total = pyarrow.parquet.ParquetFile(path, filesystem=files).metadata.num_rows
    started = time.monotonic()
    parts = Parts(args.results, columns_of(runner))
    with reported(n_total) as progress:
        manifest = ray.data.read_parquet(path, filesystem=files, columns=["media_id", "uri"])
        batches = manifest.repartition(target_num_rows_per_block=BATCH_ITEMS)
        model = (args.model, runner, args.gpu, progress)
        how = {"batch_size": BATCH_ITEMS, "batch_format": "pyarrow"}
        if args.gpu:
            n_gpus = max(1, int(ray.cluster_resources().get("GPU", 0)))
            pool = ray.data.ActorPoolStrategy(min_size=1, max_size=n_gpus, initial_size=n_gpus)
            gpu = {"num_gpus": 1, "num_cpus": GPU_ACTOR_CPUS, "compute": pool}
            rows = batches.map_batches(Model, fn_constructor_args=model, **how, **gpu)
        else:
            rows = batches.map_batches(apply_on_cpu, fn_args=model, **how)
        rows.write_datasink(parts)
    summary = {
        "kind": kind,
        "model": {"id": definition["id"], "name": definition["name"]},
        **({"dim": runner["dim"]} if kind == "embeddings" else {}),
        **({"preprocessing": runner["input"]} if "input" in runner else {}),
    }
    n_rows = parts.finish(summary, n_total)
    seconds = time.monotonic() - started
    print(f"{n_rows} {kind}, {len(parts.failed)} items failed, {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
