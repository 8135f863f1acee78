"""Decodes and scales images for a model as Vitrine does (libvips there, Pillow here): sizes, rounding, kernels and arithmetic are equal."""

import io
import math

import numpy as np
from PIL import Image, ImageCms, ImageOps

# 16383 x 16383 pixels, as in Vitrine. Pillow itself refuses images with twice as many.
MAX_PIXELS = 0x3FFF * 0x3FFF
Image.MAX_IMAGE_PIXELS = MAX_PIXELS

# Longest side in pixels of the copy from which all model inputs are made; models with large inputs get up to MAX_WORKING_PX.
WORKING_PX = 512
MAX_WORKING_PX = 4096
# Images are decoded larger than the model's input by this factor.
SPARE_SCALE = 2
BACKDROP = (128, 128, 128)

RESAMPLING = Image.Resampling
KERNELS = {
    "nearest": RESAMPLING.NEAREST,
    "bilinear": RESAMPLING.BILINEAR,
    "bicubic": RESAMPLING.BICUBIC,
    "lanczos": RESAMPLING.LANCZOS,
}
# libvips has no larger kernel for enlarging.
ENLARGING_KERNELS = KERNELS | {"lanczos": RESAMPLING.BICUBIC}
DEFAULTS = {
    "kernel": "bilinear",
    "pad": 114,
    "layout": "NCHW",
    "channels": "RGB",
    "dtype": "float32",
    "scale": 1 / 255,
    "mean": [0, 0, 0],
    "std": [1, 1, 1],
}


def prepare(data, settings):
    """Returns the pixels of a model's input as uint8 [height, width, 3], in RGB, and the size of the upright image.

    data: bytes of the image file. settings: `input` of the model's definition, with all defaults.
    Raises OSError or ValueError for data that is no image, is damaged, or is too large.
    """

    def needed(width, height):
        resized = _resized(settings, width, height)
        return min(1, SPARE_SCALE * max(resized[0] / width, resized[1] / height))

    image, size = read(data, needed)
    return _placed(image, _resized(settings, *size), settings), size


def read(data, needed):
    """Returns an upright image without transparency, scaled down for models, and the size of the upright image in the file.

    data: bytes of the image file. needed: returns the least scale, 0 to 1, for a width and a height.
    Raises OSError or ValueError for data that is no image, is damaged, or is too large.
    """
    with Image.open(io.BytesIO(data)) as image:
        is_turned = image.getexif().get(0x0112, 1) >= 5
        width, height = image.size[::-1] if is_turned else image.size
        if width * height > MAX_PIXELS:
            raise ValueError(f"the image has more than {MAX_PIXELS} pixels")
        working_px = min(MAX_WORKING_PX, max(WORKING_PX, math.ceil(max(width, height) * needed(width, height))))
        _shrink_while_loading(image, working_px)
        image.load()
        opaque = _opaque_rgb(ImageOps.exif_transpose(image))
    return _fitted(opaque, working_px), (width, height)


def on_image(corners, size, settings):
    """Converts [left, top, right, bottom] in pixels of a model's input to pixels of an upright image of a size."""
    resized = _resized(settings, *size)
    scale = np.array(resized) / size
    if settings["resize"] == "letterbox":
        scale[:] = min(settings["width_px"] / size[0], settings["height_px"] / size[1])
    offset = np.array(_cut(resized, settings) if settings["resize"] == "crop" else (0, 0))
    return ((corners.reshape(2, 2) + offset) / scale).reshape(4)


def tensor(pixels, settings):
    """Returns the input tensor of a batch of prepared images: `(pixel * scale - mean) / std` per channel."""
    batch = np.stack(pixels)
    if settings["dtype"] == "float32":
        mean, std = (np.asarray(settings[name], np.float64) for name in ("mean", "std"))
        levels = (np.arange(256)[:, None] * settings["scale"] - mean) / std
        batch = np.stack([levels[:, axis].astype(np.float32)[batch[..., axis]] for axis in range(3)], axis=-1)
    if settings["channels"] == "BGR":
        batch = batch[..., ::-1]
    return np.ascontiguousarray(batch.transpose(0, 3, 1, 2) if settings["layout"] == "NCHW" else batch)


def _resized(settings, width, height):
    """Size to which the whole image is scaled before it is cut or padded."""
    to_width, to_height = settings["width_px"], settings["height_px"]
    if settings["resize"] == "stretch":
        return to_width, to_height
    if settings["resize"] == "letterbox":
        ratio = min(to_height / height, to_width / width)
        return max(1, math.floor(width * ratio)), max(1, math.floor(height * ratio))
    short = max(settings.get("resize_px") or 0, to_width, to_height)
    long = math.floor(short * max(width, height) / min(width, height))
    return (short, long) if width <= height else (long, short)


def _cut(resized, settings):
    """Left and top edge of the centre that is cut out of a resized image."""
    return (resized[0] - settings["width_px"]) // 2, (resized[1] - settings["height_px"]) // 2


def _fitted(image, longest_px):
    """Scales down as libvips does: by one factor for both sides, of which the shorter rarely fills whole pixels.

    Its missing or surplus part of a pixel is divided between both ends.
    """
    shrink = max(image.size) / longest_px
    if shrink <= 1:
        return image
    size = tuple(max(1, math.floor(side / shrink + 0.5)) for side in image.size)
    extra_x, extra_y = (to * shrink - side for to, side in zip(size, image.size))
    box = (-extra_x / 2, -extra_y / 2, image.width + extra_x / 2, image.height + extra_y / 2)
    return _resize(image, size, RESAMPLING.LANCZOS, box)


def scaled(image, size, kernel):
    """Scales to a size; first the sides that become smaller. libvips enlarges with an image moved by half a pixel of the result."""
    smaller = tuple(min(pair) for pair in zip(size, image.size))
    if smaller != image.size:
        image = _resize(image, smaller, KERNELS[kernel], (0, 0, *image.size))
    if size == image.size:
        return image
    left, top = (side / to / 2 if to > side else 0 for side, to in zip(image.size, size))
    return _resize(image, size, ENLARGING_KERNELS[kernel], (-left, -top, image.width - left, image.height - top))


def _resize(image, size, kernel, box):
    """Scales a part of an image. Where it reaches beyond the image, the edge is repeated."""
    margin = math.ceil(max(0, -box[0], -box[1], box[2] - image.width, box[3] - image.height))
    if margin:
        pixels = np.pad(np.asarray(image), ((margin, margin), (margin, margin), (0, 0)), "edge")
        image, box = Image.fromarray(pixels), tuple(edge + margin for edge in box)
    if size[0] > box[2] - box[0] or size[1] > box[3] - box[1]:
        return image.resize(size, kernel, box)
    # libvips scales columns before rows, and rounds in between. Whole pixels are averaged first, as far as this leaves a factor of two.
    rows = image.resize((image.width, size[1]), kernel, (0, box[1], image.width, box[3]), reducing_gap=2.0)
    return rows.resize(size, kernel, (box[0], 0, box[2], size[1]), reducing_gap=2.0)


def _shrink_while_loading(image, working_px):
    """Lets libjpeg decode at 1/2, 1/4 or 1/8, by the rule of sharp."""
    if image.format != "JPEG":
        return
    shrink = max(image.size) / working_px
    factor = next((step for step in (8, 4, 2) if shrink >= step), 1)
    if factor > 1 and int(shrink) == factor:
        factor //= 2
    if factor > 1:
        image.draft(None, (image.width // factor, image.height // factor))


def _opaque_rgb(image):
    if image.mode.startswith("I;16"):
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    if image.mode == "P" or "transparency" in image.info:
        image = image.convert("RGBA")
    image = _as_srgb(image)
    if image.mode in ("LA", "PA", "RGBA", "La", "RGBa"):
        image = image.convert("RGBA")
        opaque = Image.new("RGB", image.size, BACKDROP)
        opaque.paste(image, mask=image.getchannel("A"))
        return opaque
    return image.convert("RGB")


def _as_srgb(image):
    """Converts from an embedded colour profile. A profile that does not fit the pixels is ignored."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in ("RGB", "RGBA", "CMYK"):
        return image
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "srgb" in (ImageCms.getProfileDescription(source) or "").lower():
            return image
        mode = "RGBA" if image.mode == "RGBA" else "RGB"
        return ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode=mode)
    except (ImageCms.PyCMSError, OSError):
        return image


def _placed(image, resized, settings):
    image = scaled(image, resized, settings["kernel"])
    width, height = settings["width_px"], settings["height_px"]
    if settings["resize"] == "crop":
        left, top = _cut(resized, settings)
        image = image.crop((left, top, left + width, top + height))
    if settings["resize"] == "letterbox":
        padded = Image.new("RGB", (width, height), (settings["pad"],) * 3)
        padded.paste(image, (0, 0))
        image = padded
    return np.asarray(image)
