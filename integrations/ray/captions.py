"""Captions images as Vitrine does with transformers.js: the same files, preparation of images, prompts and tokens.

A package has configurations beside a folder `onnx` of graphs. Tokens are generated greedily whatever the model's settings say; of these,
repeated n-grams and forced first and last tokens are respected.
"""

import json
import math
import os
import re

import numpy as np
from jinja2.sandbox import ImmutableSandboxedEnvironment
from tokenizers import Tokenizer

import images
from graphs import open_session

DEFAULTS = {"dtype": "fp32", "prompt": "", "max_new_tokens": 40}
# Longest side of the image that is described.
LONGEST_PX = 1024
CPU_RUN = 4
GPU_RUN = 16
# Parts of the names of graph files, by the variant of their weights.
SUFFIXES = {"fp32": "", "q8": "_quantized"}
# Numbers of PIL.Image.Resampling.
NEAREST, LANCZOS, BICUBIC = 0, 1, 3
SPACES_BEFORE = ((" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"))
SPACES_BEFORE += ((" 'm", "'m"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re"))


class Captioner:
    """A model that describes images."""

    def __init__(self, folder, runner, uses_gpu):
        self.folder, self.runner, self.uses_gpu = folder, DEFAULTS | runner, uses_gpu
        self.run_size = GPU_RUN if uses_gpu else CPU_RUN
        self.settings = _read(folder, "preprocessor_config.json")
        self.tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
        self.tokenizer_settings = _read(folder, "tokenizer_config.json")
        self.config = _read(folder, "config.json")
        self.rules = Rules(self.config, _read(folder, "generation_config.json", {}))
        self.architecture = ARCHITECTURES[runner["architecture"]](self)

    def graph(self, name):
        dtype = self.runner["dtype"]
        variant = dtype if isinstance(dtype, str) else dtype.get(name, "fp32")
        return Graph(f"{self.folder}/onnx/{name}{SUFFIXES.get(variant, f'_{variant}')}.onnx", self.uses_gpu)

    def prepare(self, data):
        """Returns what `apply` takes for an image file. Raises OSError or ValueError."""
        image, size = images.read(data, lambda width, height: min(1, LONGEST_PX / max(width, height)))
        return self.architecture.pixels(image), size

    def apply(self, prepared):
        """Returns for each image a row of results with its caption, on one line; none for an empty caption."""
        ids = self.architecture.write(np.stack([pixels for pixels, _ in prepared]), self.runner["max_new_tokens"])
        for row in ids:
            caption = re.sub(r"\s+", " ", self.architecture.text(row)).strip()
            yield [{"caption": caption}] if caption else []

    def decode(self, ids, skips_special=True):
        text = self.tokenizer.decode(ids, skip_special_tokens=skips_special) if ids else ""
        if self.tokenizer_settings.get("clean_up_tokenization_spaces", True):
            for spaced, joined in SPACES_BEFORE:
                text = text.replace(spaced, joined)
        return text


class VisionEncoderDecoder:
    """ViT and GPT-2, or any pair of an image encoder and a text decoder: takes no prompt."""

    def __init__(self, model):
        self.model = model
        self.encoder, self.decoder = model.graph("encoder_model"), model.graph("decoder_model_merged")
        self.text = model.decode

    def pixels(self, image):
        return prepare_pixels(image, self.model.settings)

    def write(self, pixels, n_tokens):
        seen = self.encoder.run(pixel_values=pixels)["last_hidden_state"]

        def inputs(ids, _):
            return {"input_ids": ids, "encoder_hidden_states": seen}

        return generate(self.decoder, self.model.rules.first(len(pixels)), n_tokens, self.model.rules, inputs)


class Florence2:
    """Florence-2 (arXiv 2311.06242): the prompt is a task, which stands for the sentence that it was trained with."""

    def __init__(self, model):
        self.model = model
        self.vision, self.words = model.graph("vision_encoder"), model.graph("embed_tokens")
        self.encoder, self.decoder = model.graph("encoder_model"), model.graph("decoder_model_merged")
        self.task = model.runner["prompt"] or "<CAPTION>"
        self.prompt = model.tokenizer.encode(self._sentence()).ids

    def _sentence(self):
        without = self.model.settings.get("task_prompts_without_inputs") or {}
        if self.task in without:
            return without[self.task]
        for task, sentence in (self.model.settings.get("task_prompts_with_input") or {}).items():
            if task in self.task:
                return sentence.replace("{input}", self.task).replace(task, "")
        return self.task

    def pixels(self, image):
        return prepare_pixels(image, self.model.settings)

    def write(self, pixels, n_tokens):
        prompt = self.words.run(input_ids=np.array([self.prompt] * len(pixels)))["inputs_embeds"]
        image = self.vision.run(pixel_values=pixels)["image_features"]
        known = np.concatenate([image, prompt], axis=1)
        mask = np.ones(known.shape[:2], np.int64)
        seen = self.encoder.run(inputs_embeds=known, attention_mask=mask)["last_hidden_state"]

        def inputs(ids, _):
            words = self.words.run(input_ids=ids)["inputs_embeds"]
            return {"inputs_embeds": words, "encoder_hidden_states": seen, "encoder_attention_mask": mask}

        return generate(self.decoder, self.model.rules.first(len(pixels)), n_tokens, self.model.rules, inputs)

    def text(self, ids):
        # Coordinates are special tokens.
        text = self.model.decode(ids, False).replace("<s>", "").replace("</s>", "")
        kind = (self.model.settings.get("tasks_answer_post_processing_type") or {}).get(self.task, "pure_text")
        if kind == "pure_text":
            return text
        places = r"(.+?)" + r"<loc_\d+>" * 8 if kind == "ocr" else r"([^<]+)?" + r"<loc_\d+>" * 4
        labels = []
        for label in re.findall(places, text):
            labels.append(label.strip() or (labels[-1] if labels else ""))
        return ", ".join(labels)


class Idefics3:
    """Idefics3 and SmolVLM: a chat with one question. The image is not cut into tiles."""

    def __init__(self, model):
        self.model, self.text = model, model.decode
        self.vision, self.words = model.graph("vision_encoder"), model.graph("embed_tokens")
        self.decoder = model.graph("decoder_model_merged")
        n_tokens = _read(model.folder, "processor_config.json")["image_seq_len"]
        around = "<fake_token_around_image>"
        image = f"{around}<global-img>{'<image>' * n_tokens}{around}"
        self.prompt = np.array(model.tokenizer.encode(self._chat().replace("<image>", image)).ids)
        self.image_places = self.prompt == model.config["image_token_id"]

    def _chat(self):
        settings = self.model.tokenizer_settings
        template = settings.get("chat_template") or _read(self.model.folder, "chat_template.json")["chat_template"]
        if isinstance(template, list):
            template = next(one["template"] for one in template if one["name"] == "default")
        question = self.model.runner["prompt"] or "Describe this image in one sentence."
        content = [{"type": "image"}, {"type": "text", "text": question}]
        # Special tokens are texts or objects.
        of_tokens = {name: value for name, value in settings.items() if name.endswith("_token") and isinstance(value, (str, dict))}
        tokens = {name: value if isinstance(value, str) else value["content"] for name, value in of_tokens.items()}
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        messages = [{"role": "user", "content": content}]
        return environment.from_string(template).render(messages=messages, add_generation_prompt=True, **tokens)

    def pixels(self, image):
        side = self.model.settings["max_image_size"]["longest_edge"]
        pixels = prepare_pixels(image, self.model.settings)
        rows, columns = (_taps(length, side, _linear, 0.5) for length in pixels.shape[1:])
        return _sampled(pixels.transpose(1, 2, 0), rows, columns, "edge").transpose(2, 0, 1).astype(np.float32)

    def write(self, pixels, n_tokens):
        pixels = pixels[:, None]
        mask = np.ones((*pixels.shape[:2], *pixels.shape[3:]), bool)
        image = self.vision.run(pixel_values=pixels, pixel_attention_mask=mask)["image_features"]
        first = np.repeat(self.prompt[None], len(pixels), axis=0)

        def inputs(ids, n_known):
            words = self.words.run(input_ids=ids)["inputs_embeds"]
            if n_known == 0:
                words[:, self.image_places] = image
            n_all = n_known + ids.shape[1]
            places = np.broadcast_to(np.arange(n_known, n_all), ids.shape)
            mask = np.ones((len(ids), n_all), np.int64)
            return {"inputs_embeds": words, "attention_mask": mask, "position_ids": places, "num_logits_to_keep": np.array(1)}

        return generate(self.decoder, first, n_tokens, self.model.rules, inputs)


ARCHITECTURES = {"vision_encoder_decoder": VisionEncoderDecoder, "florence2": Florence2, "idefics3": Idefics3}


class Graph:
    """A graph with inputs and outputs by name."""

    def __init__(self, file, uses_gpu):
        self.session = open_session(file, uses_gpu)
        self.inputs = {one.name: one for one in self.session.get_inputs()}
        self.outputs = [one.name for one in self.session.get_outputs()]

    def run(self, **values):
        """Runs the graph with those of the values that it takes, in its types. Returns arrays by name."""
        taken = {name: value for name, value in values.items() if name in self.inputs}
        feeds = {name: np.asarray(value, _TYPES[self.inputs[name].type], order="C") for name, value in taken.items()}
        return dict(zip(self.outputs, self.session.run(self.outputs, feeds)))

    def empty_cache(self, n_rows):
        """Keys and values of no tokens."""
        caches = {name: one for name, one in self.inputs.items() if name.startswith("past_key_values")}
        return {name: np.empty((n_rows, one.shape[1], 0, one.shape[3]), np.float32) for name, one in caches.items()}


_TYPES = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(int64)": np.int64,
    "tensor(bool)": bool,
}


class Rules:
    """Settings of a model for the generation of tokens."""

    def __init__(self, config, settings):
        parts = [config.get(name) or {} for name in ("text_config", "generator", "decoder")]
        places = [settings, *parts, config]

        def find(*names):
            return next((one[name] for name in names for one in places if one.get(name) is not None), None)

        self.start = find("decoder_start_token_id", "bos_token_id")
        ends = find("eos_token_id")
        self.ends = set(ends if isinstance(ends, list) else [ends])
        self.n_gram = find("no_repeat_ngram_size") or 0
        self.first_token, self.last_token = find("forced_bos_token_id"), find("forced_eos_token_id")

    def first(self, n_rows):
        """The token that the text of a decoder starts with, for each row."""
        return np.full((n_rows, 1), self.start)

    def choose(self, row, logits, is_last):
        """Returns the next token. row: tokens so far. logits: one for each token; they are changed."""
        if is_last and self.last_token is not None:
            return self.last_token
        if len(row) == 1 and self.first_token is not None:
            return self.first_token
        # As in transformers.js: no token that would repeat an n-gram.
        before = row[len(row) + 1 - self.n_gram :] if self.n_gram else None
        for at in range(len(row) + 1 - self.n_gram if self.n_gram else 0):
            if row[at : at + self.n_gram - 1] == before:
                logits[row[at + self.n_gram - 1]] = -np.inf
        return int(logits.argmax())


def generate(decoder, first, n_tokens, rules, inputs_of):
    """Generates tokens for all rows until each has ended. Returns lists of tokens without `first` and from the end token on.

    first: tokens [rows, n] that are known. inputs_of: gives the inputs of the decoder for further tokens, after a number of earlier ones.
    """
    rows = first.tolist()
    n_first = first.shape[1]
    cache, further = decoder.empty_cache(len(rows)), first
    for nth in range(n_tokens):
        inputs = inputs_of(further, len(rows[0]) - further.shape[1])
        outputs = decoder.run(**inputs, **cache, use_cache_branch=np.array([nth > 0]))
        for name, values in outputs.items():
            past = name.replace("present", "past_key_values")
            # Keys and values of the encoder do not change; with a cache, graphs return nothing useful for them.
            if name.startswith("present") and (nth == 0 or "encoder" not in name):
                cache[past] = values
        logits = outputs["logits"][:, -1].astype(np.float32)
        for row, of_row in zip(rows, logits):
            row.append(rules.choose(row, of_row, nth == n_tokens - 1))
        if all(rules.ends.intersection(row[n_first:]) for row in rows):
            break
        further = np.array([row[-1:] for row in rows])
    return [_until(row[n_first:], rules.ends) for row in rows]


def _until(tokens, ends):
    return tokens[: next((at for at, token in enumerate(tokens) if token in ends), len(tokens))]


def prepare_pixels(image, settings):
    """Returns the pixels [3, height, width] as floats: scaled, cut and normalised as the settings of a processor say."""
    if settings.get("do_resize"):
        image = _resized(image, _target(image.size, settings["size"]), settings.get("resample", 2))
    pixels = np.asarray(image)
    if settings.get("do_center_crop"):
        cut = settings["crop_size"]
        width, height = (cut, cut) if isinstance(cut, int) else (cut["width"], cut["height"])
        left, top = (pixels.shape[1] - width) // 2, (pixels.shape[0] - height) // 2
        if min(left, top) < 0:
            raise ValueError("the image is smaller than the part that is cut out")
        pixels = pixels[top : top + height, left : left + width]
    pixels = pixels.astype(np.float32)
    if settings.get("do_rescale", True):
        pixels *= np.float32(settings.get("rescale_factor", 1 / 255))
    if settings.get("do_normalize"):
        pixels = (pixels - np.float32(settings["image_mean"])) / np.float32(settings["image_std"])
    return pixels.transpose(2, 0, 1)


def _target(size, wanted):
    """Width and height to scale to. wanted: a side, both sides, or limits of the shorter and the longer side."""
    if isinstance(wanted, int):
        wanted = {"shortest_edge": wanted, "longest_edge": wanted}
    shortest, longest = wanted.get("shortest_edge"), wanted.get("longest_edge")
    if shortest is None and longest is None:
        return wanted["width"], wanted["height"]
    factor = shortest / min(size) if longest is None else longest / max(size)
    return tuple(math.floor(round(side * factor, 2)) for side in size)


def _resized(image, size, resample):
    """Scales as transformers.js does: Lanczos with libvips' resize, the others with its affine transformation, which does not smooth."""
    if image.size == size:
        return image
    if resample == LANCZOS:
        return images.scaled(image, size, "lanczos")
    kernel = {NEAREST: _nearest, BICUBIC: _cubic}.get(resample, _linear)
    columns, rows = (_taps(side, to, kernel, 0) for side, to in zip(image.size, size))
    sampled = _sampled(np.asarray(image).astype(np.float64), rows, columns, "black")
    return np.clip(np.floor(sampled + 0.5), 0, 255).astype(np.uint8)


def _taps(length, to, kernel, centre):
    """Places [to, taps] from which each pixel of a scaled side is made, and their weights."""
    at = (np.arange(to) + centre) * (length / to) - centre
    return kernel(np.floor(at).astype(int), at - np.floor(at))


def _nearest(first, _):
    return first[:, None], np.ones((len(first), 1))


def _linear(first, rest):
    return first[:, None] + np.arange(2), np.stack([1 - rest, rest], axis=1)


def _cubic(first, rest):
    places = first[:, None] + np.arange(-1, 3)
    distance = np.abs(first[:, None] + rest[:, None] - places)
    inner = 1.5 * distance**3 - 2.5 * distance**2 + 1
    outer = -0.5 * distance**3 + 2.5 * distance**2 - 4 * distance + 2
    return places, np.where(distance <= 1, inner, outer)


def _sampled(pixels, rows, columns, beyond):
    """Samples pixels [height, width, channels]. beyond: whether the image continues in black or with its edge."""
    for axis, (places, weights) in enumerate((rows, columns)):
        length = pixels.shape[axis]
        if beyond == "black":
            weights = np.where((places >= 0) & (places < length), weights, 0)
        taps = np.take(pixels, np.clip(places, 0, length - 1), axis=axis)
        pixels = np.einsum("ntwc,nt->nwc" if axis == 0 else "hntc,nt->hnc", taps, weights)
    return pixels


def _read(folder, name, missing=None):
    path = f"{folder}/{name}"
    if missing is not None and not os.path.exists(path):
        return missing
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)
