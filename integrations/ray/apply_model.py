"""Applies a model to the items of a Vitrine dataset on a Ray cluster: manifest.parquet in, part-*.parquet and manifest.json out.

    python apply_model.py --manifest DIR/manifest.parquet --model DIR/model --results DIR/results

Each of the three is a folder or file that all nodes reach by the same path, or an `s3://` address. See README.md.
"""

import argparse
import json
import re
import tempfile
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnxruntime
import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet
import ray
import ray.data
from PIL import UnidentifiedImageError

import images
from outputs import RESULTS, read_labels, read_outputs
from results import Parts, clear, open_place, read_bytes, reported

# Actors on a GPU leave the CPUs to the tasks that read and write.
GPU_ACTOR_CPUS = 0.1
# Items of a batch between Ray and an actor.
BATCH_ITEMS = 64
# Images of a run of the model, and bytes of its activations, which take about 16 times the memory of the input (as in Vitrine).
CPU_RUN = 8
GPU_RUN = 32
RUN_BYTES = 96 << 20
ACTIVATIONS_PER_INPUT = 16
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
    definition["runner"]["input"] = images.DEFAULTS | definition["runner"]["input"]
    return definition


def columns_of(runner):
    return pa.schema([("media_id", pa.string()), *RESULTS[runner["kind"]][1]])


class Model:
    """Fetches and prepares images in threads while the model runs. An actor on GPUs; kept by the worker process on CPUs."""

    def __init__(self, model_place, runner, uses_gpu, progress):
        self.runner, self.progress = runner, progress
        self.threads = ThreadPoolExecutor(4 if uses_gpu else 2)
        files, path = open_place(model_place)
        if not isinstance(files, pyarrow.fs.LocalFileSystem):
            self.copy = tempfile.TemporaryDirectory()
            pyarrow.fs.copy_files(path, self.copy.name, source_filesystem=files)
            path = self.copy.name
        self.session = open_session(f"{path}/{runner['model_file']}", uses_gpu)
        self.labels = read_labels(f"{path}/{runner['labels_file']}") if "labels_file" in runner else []
        described = next(one for one in self.session.get_inputs() if runner["input"].get("name") in (None, one.name))
        self.input = described.name
        self.is_fixed = isinstance(described.shape[0], int)
        self.run_size = described.shape[0] if self.is_fixed else run_size(runner["input"], uses_gpu)

    def __call__(self, batch):
        ids, addresses = batch["media_id"].to_pylist(), batch["uri"].to_pylist()
        prepared = self.threads.map(lambda address: prepare_one(address, self.runner["input"]), addresses)
        rows, waiting = [], []
        for media_id, (image, problem) in zip(ids, prepared):
            if image is None:
                rows.append({"media_id": media_id, "problem": problem})
                continue
            waiting.append((media_id, *image))
            if len(waiting) == self.run_size:
                rows += self.run(waiting)
                waiting = []
        if waiting:
            rows += self.run(waiting)
        self.progress.add.remote(ids[0], len(ids))
        return pa.Table.from_pylist(rows, columns_of(self.runner).append(pa.field("problem", pa.string())))

    def run(self, waiting):
        """Returns the rows of some images."""
        missing = self.run_size - len(waiting) if self.is_fixed else 0
        pixels = [one for _, one, _ in waiting] + [np.zeros_like(waiting[0][1])] * missing
        names = [one.name for one in self.session.get_outputs()]
        outputs = self.session.run(names, {self.input: images.tensor(pixels, self.runner["input"])})
        for at, (media_id, _, size) in enumerate(waiting):
            of_image = {name: values[at].astype(np.float32) for name, values in zip(names, outputs)}
            found = read_outputs(of_image, size, self.runner, self.labels)
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


def run_size(settings, uses_gpu):
    """Number of images in a run of a model that takes any number."""
    image_bytes = settings["width_px"] * settings["height_px"] * 3 * 4 * ACTIVATIONS_PER_INPUT
    return max(1, min(RUN_BYTES // image_bytes, GPU_RUN if uses_gpu else CPU_RUN))


def open_session(file, uses_gpu):
    """Loads a graph with the settings of Vitrine, so that quantised models give the same numbers."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.x64quantprecision", "1")
    with open(file, "rb") as stream:
        graph = stream.read()
    # Weights in 8 bits without quantised inputs are converted to floats once.
    if b"DequantizeLinear" in graph and not re.search(rb"(Dynamic)?QuantizeLinear", graph):
        options.add_session_config_entry("session.disable_quant_qdq", "1")
    providers = ["CUDAExecutionProvider"] if uses_gpu else []
    return onnxruntime.InferenceSession(file, options, providers=[*providers, "CPUExecutionProvider"])


def prepare_one(address, settings):
    """Returns the prepared image, or the reason why there is none: one bad image never stops the run."""
    try:
        return images.prepare(fetch(address), settings), None
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
        "preprocessing": runner["input"],
    }
    n_rows = parts.finish(summary, n_total)
    seconds = time.monotonic() - started
    print(f"{n_rows} {kind}, {len(parts.failed)} items failed, {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
