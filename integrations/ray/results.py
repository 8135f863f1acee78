"""Files of results that Vitrine imports, and the progress that it shows, for programs on Ray."""

import contextlib
import hashlib
import io
import json
import os
import re
import threading

import pyarrow as pa
import pyarrow.compute
import pyarrow.fs
import pyarrow.parquet
import ray
import ray.data
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

ROWS_PER_PART = 4096
PROGRESS_S = 2
NAMES = r"(?:manifest|failed)\.json|part-\d+\.parquet"


def open_place(place):
    """Returns the file system and the path of an absolute path, `file://` or `s3://` address."""
    return pyarrow.fs.FileSystem.from_uri(place if "://" in place else os.path.abspath(place))


def read_bytes(place, name):
    files, path = open_place(place)
    with files.open_input_stream(f"{path}/{name}") as stream:
        return stream.read()


def write_bytes(place, name, data):
    """Writes a file whole: another attempt at the same part replaces it, and no reader sees half of it."""
    files, path = open_place(place)
    if isinstance(files, pyarrow.fs.LocalFileSystem):
        files.create_dir(path)
        temporary = f"{path}/.{name}-{os.getpid()}"
        with files.open_output_stream(temporary) as stream:
            stream.write(data)
        files.move(temporary, f"{path}/{name}")
        return
    with files.open_output_stream(f"{path}/{name}") as stream:
        stream.write(data)


def clear(place):
    """Deletes results of an earlier run; the manifest first, without which they are none."""
    files, path = open_place(place)
    selector = pyarrow.fs.FileSelector(path, allow_not_found=True)
    names = {entry.base_name for entry in files.get_file_info(selector)}
    for name in sorted(names, key=lambda name: name != "manifest.json"):
        # Nodes that died while they wrote have left temporary files.
        if re.fullmatch(rf"{NAMES}|\.({NAMES})-\d+", name):
            files.delete_file(f"{path}/{name}")


class Parts(ray.data.Datasink):
    """Writes results as one part per task, named by its number, so that a repeated task replaces what it wrote.

    columns: schema of the results, with `media_id`. The rows to write have one column more, `problem`: why an item has no result, else null.
    """

    def __init__(self, place, columns):
        self.place, self.columns = place, columns
        self.parts, self.failed = [], []

    def write(self, blocks, ctx):
        schema = self.columns.append(pa.field("problem", pa.string()))
        rows = pa.concat_tables([pa.table(block).select(schema.names).cast(schema) for block in blocks])
        is_good = pa.compute.is_null(rows["problem"])
        good, bad = rows.filter(is_good).drop(["problem"]), rows.filter(pa.compute.invert(is_good))
        failed = bad.select(["media_id", "problem"]).to_pylist()
        return self.write_part(f"part-{ctx.task_idx:06}.parquet", good) if good.num_rows else None, failed

    def write_part(self, name, rows):
        buffer = io.BytesIO()
        pyarrow.parquet.write_table(rows, buffer, use_dictionary=False)
        write_bytes(self.place, name, buffer.getvalue())
        return {"file": name, "rows": rows.num_rows, "sha256": hashlib.sha256(buffer.getvalue()).hexdigest()}

    @property
    def min_rows_per_write(self):
        return ROWS_PER_PART

    def on_write_complete(self, write_result):
        for part, failed in write_result.write_returns:
            self.parts += [part] if part else []
            self.failed += failed

    def finish(self, summary, n_items):
        """Writes failed.json and manifest.json, after which the results can be imported. Returns the number of rows.

        summary: kind, model and further fields of manifest.json. Raises SystemExit if no item was processed.
        """
        write_bytes(self.place, "failed.json", json.dumps(self.failed).encode())
        if len(self.failed) == n_items:
            reason = self.failed[0]["problem"] if self.failed else "the manifest lists no items"
            raise SystemExit(f"no image could be processed: {reason}")
        # A model may find nothing in any image, which is a result too.
        parts = self.parts or [self.write_part("part-000000.parquet", self.columns.empty_table())]
        manifest = {**summary, "parts": sorted(parts, key=lambda part: part["file"])}
        write_bytes(self.place, "manifest.json", json.dumps(manifest, indent=1).encode())
        return sum(part["rows"] for part in parts)


@ray.remote(num_cpus=0)
class Progress:
    """Counts items by batch, so that a repeated batch counts once."""

    def __init__(self):
        self.batches = {}

    def add(self, batch, n_items):
        self.batches[batch] = n_items

    def total(self):
        return sum(self.batches.values())


@contextlib.contextmanager
def reported(n_total):
    """Provides a Progress, and prints its total in lines that Vitrine reads from the job's log."""
    # On the node of this program: if it were on another node, the loss of that node would stop the progress.
    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    progress, is_over = Progress.options(scheduling_strategy=here).remote(), threading.Event()

    def report():
        last = None
        while not is_over.wait(PROGRESS_S):
            n_done = min(n_total, ray.get(progress.total.remote()))
            if n_done != last:
                print(f"progress {n_done} of {n_total}", flush=True)
            last = n_done

    reporter = threading.Thread(target=report, daemon=True)
    reporter.start()
    yield progress
    is_over.set()
    reporter.join()
    print(f"progress {n_total} of {n_total}", flush=True)
