"""Computes the embeddings of a Vitrine dataset on a Ray cluster: manifest.parquet in, part-*.parquet and manifest.json out.

    python embed.py --manifest DIR/manifest.parquet --model DIR/model --results DIR/results

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
from results import Parts, clear, open_place, read_bytes, reported

# Actors on a GPU leave the CPUs to the tasks that read and write.
GPU_ACTOR_CPUS = 0.1
# Rows of a batch between Ray and an actor, and images of a run of the model (as in Vitrine).
BATCH_ROWS = 64
CPU_RUN = 8
GPU_RUN = 32
FETCH_ATTEMPTS = 4
FETCH_TIMEOUT_S = 60
MAX_IMAGE_BYTES = 1 << 30
MIN_NORM = 1e-12

COLUMNS = pa.schema([("media_id", pa.string()), ("embedding", pa.list_(pa.float32()))])


def read_definition(model_place, model_id):
    """Returns the encoder's definition of a model package, the preprocessing with all defaults."""
    models = json.loads(read_bytes(model_place, "vitrine.json"))["models"]
    found = [one for one in models if one["runner"]["kind"] == "image_encoder" and model_id in (None, one["id"])]
    if not found:
        raise SystemExit(f"{model_place} has no image encoder{f' {model_id}' if model_id else ''}")
    [definition, *_] = found
    definition["runner"]["input"] = images.DEFAULTS | definition["runner"]["input"]
    return definition


def count_rows(place):
    files, path = open_place(place)
    with files.open_input_file(path) as stream:
        return pyarrow.parquet.read_metadata(stream).num_rows


class Encoder:
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
        self.input = runner["input"].get("name") or self.session.get_inputs()[0].name
        self.output = runner.get("output") or self.session.get_outputs()[0].name
        fixed = self.session.get_inputs()[0].shape[0]
        self.run_size = fixed if isinstance(fixed, int) else GPU_RUN if uses_gpu else CPU_RUN
        self.is_fixed = isinstance(fixed, int)

    def __call__(self, batch):
        ids, addresses = batch["media_id"].to_pylist(), batch["uri"].to_pylist()
        prepared = self.threads.map(lambda address: prepare_one(address, self.runner["input"]), addresses)
        vectors, problems = [None] * len(ids), [None] * len(ids)
        waiting = []
        for at, (pixels, problem) in enumerate(prepared):
            problems[at] = problem
            if pixels is not None:
                waiting.append((at, pixels))
            if len(waiting) == self.run_size:
                self.run(waiting, vectors, problems)
        if waiting:
            self.run(waiting, vectors, problems)
        self.progress.add.remote(ids[0], len(ids))
        schema = COLUMNS.append(pa.field("problem", pa.string()))
        return pa.table({"media_id": ids, "embedding": vectors, "problem": problems}, schema=schema)

    def run(self, waiting, vectors, problems):
        missing = self.run_size - len(waiting) if self.is_fixed else 0
        pixels = [one for _, one in waiting] + [np.zeros_like(waiting[0][1])] * missing
        [output] = self.session.run([self.output], {self.input: images.tensor(pixels, self.runner["input"])})
        for (at, _), values in zip(waiting, output.reshape(len(pixels), -1).astype(np.float32)):
            norm = float(np.sqrt(np.sum(values.astype(np.float64) ** 2)))
            if np.isfinite(norm) and norm > MIN_NORM:
                vectors[at] = (values / norm).astype(np.float32)
            else:
                problems[at] = "the model returned no usable vector"
        waiting.clear()


encoders = {}


def embed_on_cpu(batch, model_place, runner, uses_gpu, progress):
    """Task: loads the model once in each worker process.

    Tasks hold no CPU between batches. An actor that waits for a CPU after its node died would keep the others from reading.
    """
    if model_place not in encoders:
        encoders[model_place] = Encoder(model_place, runner, uses_gpu, progress)
    return encoders[model_place](batch)


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
    """Returns the prepared pixels, or the reason why there are none: one bad image never stops the run."""
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
    parser.add_argument("--model-id", help="encoder of the package (default: the first)")
    parser.add_argument("--results", required=True, help="folder for the results")
    parser.add_argument("--gpu", action="store_true", help="one actor per GPU instead of one per CPU")
    args = parser.parse_args()

    definition = read_definition(args.model, args.model_id)
    ray.init(ignore_reinit_error=True)
    ray.data.DataContext.get_current().enable_progress_bars = False
    clear(args.results)
    n_total = count_rows(args.manifest)
    manifest = ray.data.read_parquet(args.manifest).select_columns(["media_id", "uri"])
    started = time.monotonic()
    parts = Parts(args.results, COLUMNS)
    with reported(n_total) as progress:
        encoder = (args.model, definition["runner"], args.gpu, progress)
        batches = manifest.repartition(target_num_rows_per_block=BATCH_ROWS)
        how = {"batch_size": BATCH_ROWS, "batch_format": "pyarrow"}
        if args.gpu:
            n_gpus = max(1, int(ray.cluster_resources().get("GPU", 0)))
            pool = ray.data.ActorPoolStrategy(min_size=1, max_size=n_gpus, initial_size=n_gpus)
            gpu = {"num_gpus": 1, "num_cpus": GPU_ACTOR_CPUS, "compute": pool}
            embedded = batches.map_batches(Encoder, fn_constructor_args=encoder, **how, **gpu)
        else:
            embedded = batches.map_batches(embed_on_cpu, fn_args=encoder, **how)
        embedded.write_datasink(parts)
    summary = {
        "kind": "embeddings",
        "model": {"id": definition["id"], "name": definition["name"]},
        "dim": definition["runner"]["dim"],
        "preprocessing": definition["runner"]["input"],
    }
    n_rows = parts.finish(summary, n_total)
    seconds = time.monotonic() - started
    print(f"{n_rows} vectors, {len(parts.failed)} items without one, {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
