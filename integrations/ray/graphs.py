"""Runs graphs that take images and return vectors, classes or boxes, with the settings of Vitrine."""

import re

import numpy as np
import onnxruntime

import images
from outputs import read_labels, read_outputs

# Images of a run of the model, and bytes of its activations, which take about 16 times the memory of the input (as in Vitrine).
CPU_RUN = 8
GPU_RUN = 32
RUN_BYTES = 96 << 20
ACTIVATIONS_PER_INPUT = 16


class ImageGraph:
    """An encoder of images, a classifier or an object detector."""

    def __init__(self, folder, runner, uses_gpu):
        self.runner, self.settings = runner, runner["input"]
        self.session = open_session(f"{folder}/{runner['model_file']}", uses_gpu)
        self.labels = read_labels(f"{folder}/{runner['labels_file']}") if "labels_file" in runner else []
        described = next(one for one in self.session.get_inputs() if self.settings.get("name") in (None, one.name))
        self.input = described.name
        self.is_fixed = isinstance(described.shape[0], int)
        self.run_size = described.shape[0] if self.is_fixed else _run_size(self.settings, uses_gpu)

    def prepare(self, data):
        """Returns what `apply` takes for an image file. Raises OSError or ValueError."""
        return images.prepare(data, self.settings)

    def apply(self, prepared):
        """Returns for each of up to `run_size` images its rows of results, or None without a usable answer."""
        missing = self.run_size - len(prepared) if self.is_fixed else 0
        pixels = [one for one, _ in prepared] + [np.zeros_like(prepared[0][0])] * missing
        names = [one.name for one in self.session.get_outputs()]
        outputs = self.session.run(names, {self.input: images.tensor(pixels, self.settings)})
        for at, (_, size) in enumerate(prepared):
            of_image = {name: values[at].astype(np.float32) for name, values in zip(names, outputs)}
            yield read_outputs(of_image, size, self.runner, self.labels)


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


def _run_size(settings, uses_gpu):
    """Number of images in a run of a model that takes any number."""
    image_bytes = settings["width_px"] * settings["height_px"] * 3 * 4 * ACTIVATIONS_PER_INPUT
    return max(1, min(RUN_BYTES // image_bytes, GPU_RUN if uses_gpu else CPU_RUN))
