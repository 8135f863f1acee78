"""Converts the outputs of a graph for one image to rows of results, as Vitrine does."""

import json
import math
import re

import numpy as np
import pyarrow as pa

import images

MIN_NORM = 1e-12
YOLOX_STRIDES = (8, 16, 32)

CONFIDENCE = ("confidence", pa.float64())
# By kind of model: the kind of its results, and their columns beside `media_id`.
RESULTS = {
    "image_encoder": ("embeddings", [("embedding", pa.list_(pa.float32()))]),
    "classifier": ("labels", [("label", pa.string()), CONFIDENCE]),
    "detector": ("boxes", [("box", pa.list_(pa.int32())), ("label", pa.string()), CONFIDENCE]),
    "captioner": ("captions", [("caption", pa.string())]),
}


def read_labels(file):
    """Reads labels by class, from text or JSON: without WordNet ids, and the first of several names."""
    with open(file, encoding="utf-8-sig") as stream:
        text = stream.read()
    names = json.loads(text) if file.endswith(".json") else re.split(r"\r?\n", text.rstrip())
    if isinstance(names, dict):
        by_class = {int(class_id): name for class_id, name in names["id2label"].items()}
        names = [by_class.get(class_id, "") for class_id in range(max(by_class) + 1)]
    return [re.sub(r"^n\d{8}\s+", "", str(name)).split(",")[0].strip() for name in names]


def read_outputs(outputs, size, runner, labels):
    """Returns the rows of an image without their `media_id`, or None if the model has no usable answer.

    outputs: float32 arrays by name, without the batch dimension. size: width and height of the upright image.
    Raises ValueError for a graph that does not fit its description.
    """
    if runner["kind"] == "image_encoder":
        return _vector(_named(outputs, runner), runner["dim"])
    if runner["kind"] == "classifier":
        return _strongest_labels(_named(outputs, runner), runner, labels)
    return _objects(outputs, size, runner, labels)


def _named(outputs, runner):
    return outputs[runner.get("output") or next(iter(outputs))].reshape(-1)


def _vector(values, dim):
    if len(values) != dim:
        raise ValueError(f"the graph returns {len(values)} numbers, expected are {dim}")
    norm = math.sqrt(np.sum(values.astype(np.float64) ** 2))
    if not math.isfinite(norm) or norm <= MIN_NORM:
        return None
    return [{"embedding": (values / norm).astype(np.float32)}]


def _strongest_labels(values, runner, labels):
    if len(values) != len(labels) + runner["first_class"]:
        raise ValueError(f"the graph returns {len(values)} classes, expected are {len(labels) + runner['first_class']}")
    activate = {"softmax": _softmax, "sigmoid": _sigmoid, "none": np.asarray}[runner["activation"]]
    confidences = np.minimum(1, activate(values)[runner["first_class"] :])
    found = {}
    for class_id in np.argsort(-confidences, kind="stable"):
        label, confidence = labels[class_id], float(confidences[class_id])
        if confidence < runner["min_confidence"] or len(found) == runner["max_labels"]:
            break
        if label:
            found.setdefault(label, confidence)
    return [{"label": label, "confidence": confidence} for label, confidence in found.items()]


def _objects(outputs, size, runner, labels):
    """Boxes of the strongest objects, in whole pixels of the upright image."""
    decode = {"yolox": _yolox, "corner_boxes": _corner_boxes, "detr": _detr}[runner["decoder"]]
    classes, confidences, corners = decode(outputs, runner, len(labels))
    order = np.argsort(-confidences, kind="stable")
    order = order[confidences[order] >= runner["min_confidence"]]
    # DETR is trained to find each object once.
    if runner["decoder"] != "detr":
        order = _without_overlaps(order, classes, corners, runner)
    found = {}
    for at in order[: runner["max_objects"]]:
        box = _whole_pixels(images.on_image(corners[at], size, runner["input"]), size)
        label = labels[classes[at]] or f"class {classes[at]}"
        # Rounding can make two boxes equal.
        found.setdefault((box, label), float(confidences[at]))
    return [{"box": box, "label": label, "confidence": confidence} for (box, label), confidence in found.items()]


def _without_overlaps(order, classes, corners, runner):
    """Greedy non-maximum suppression within each class, from the highest confidence."""
    kept = []
    while len(order) and len(kept) < runner["max_objects"]:
        best, order = order[0], order[1:]
        kept.append(best)
        is_overlapping = _overlap(corners[best], corners[order], runner["max_iou"])
        order = order[(classes[order] != classes[best]) | ~is_overlapping]
    return np.array(kept, int)


def _overlap(box, others, max_iou):
    """Whether the intersection over union of a box and each of the others is above a limit."""
    sides = np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])
    shared = np.where((sides > 0).all(axis=1), sides.prod(axis=1), 0)
    union = (box[2:] - box[:2]).prod() + (others[:, 2:] - others[:, :2]).prod(axis=1) - shared
    return shared > max_iou * union


def _whole_pixels(corners, size):
    """Returns [x, y, width, height] inside the image, at least one pixel in each direction."""
    left, top, right, bottom = (math.floor(edge + 0.5) for edge in np.clip(corners, -1, max(size) + 1))
    x, y = min(size[0] - 1, max(0, left)), min(size[1] - 1, max(0, top))
    return x, y, min(size[0], max(x + 1, right)) - x, min(size[1], max(y + 1, bottom)) - y


def _yolox(outputs, runner, n_labels):
    """[n, 5 + classes] on a grid for each stride: centre from its cell and logarithm of the size, in strides, objectness, classes."""
    width, height = runner["input"]["width_px"], runner["input"]["height_px"]
    values = next(iter(outputs.values())).astype(np.float64)
    grids = []
    for stride in YOLOX_STRIDES:
        rows, columns = np.indices((height // stride, width // stride)).reshape(2, -1)
        grids.append(np.stack([columns, rows, np.full_like(rows, stride)], axis=1))
    cells, strides = np.split(np.concatenate(grids), [2], axis=1)
    if values.shape != (len(cells), 5 + n_labels):
        raise ValueError(f"the graph returns boxes of shape {values.shape}, expected is {(len(cells), 5 + n_labels)}")
    classes = values[:, 5:].argmax(axis=1)
    confidences = values[:, 4] * values[np.arange(len(values)), 5 + classes]
    return classes, confidences, _around((values[:, :2] + cells) * strides, np.exp(values[:, 2:4]) * strides)


def _detr(outputs, runner, n_labels):
    """Logits [n, classes] and boxes [n, 4] as centre and size in fractions. With one class more than labels, the last is "no object"."""
    logits, boxes = _pair(outputs, "logits", "pred_boxes", n_labels)
    confidences = (_softmax(logits)[:, :n_labels] if logits.shape[1] > n_labels else _sigmoid(logits)).astype(np.float64)
    at, classes = np.indices(confidences.shape).reshape(2, -1)
    sides = np.array([runner["input"]["width_px"], runner["input"]["height_px"]])
    return classes, confidences.reshape(-1), _around(boxes[:, :2] * sides, boxes[:, 2:] * sides)[at]


def _corner_boxes(outputs, runner, n_labels):
    """Scores [n, classes], of which the first is background, and boxes [n, 4] as corners in fractions."""
    scores, boxes = _pair(outputs, "scores", "boxes", n_labels)
    confidences = scores[:, 1:].astype(np.float64)
    at, classes = np.indices(confidences.shape).reshape(2, -1)
    sides = np.array([runner["input"]["width_px"], runner["input"]["height_px"]] * 2)
    # The list of labels may contain the background.
    return classes + 1 - (scores.shape[1] - n_labels), confidences.reshape(-1), (boxes * sides)[at]


def _pair(outputs, scores_name, boxes_name, n_labels):
    scores, boxes = outputs.get(scores_name), outputs.get(boxes_name)
    if scores is None or boxes is None or boxes.shape != (len(scores), 4) or scores.shape[1] - n_labels not in (0, 1):
        raise ValueError(f"the graph has no {scores_name} and {boxes_name} of {n_labels} classes")
    return scores, boxes.astype(np.float64)


def _around(centres, sizes):
    return np.concatenate([centres - sizes / 2, centres + sizes / 2], axis=1)


def _softmax(values):
    values = values.astype(np.float64)
    powers = np.exp(values - values.max(axis=-1, keepdims=True)).astype(np.float32).astype(np.float64)
    return (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)


def _sigmoid(values):
    return (1 / (1 + np.exp(-values.astype(np.float64)))).astype(np.float32)
