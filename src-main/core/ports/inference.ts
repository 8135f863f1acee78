import type { Message } from '../../contract/messages.ts';
import type { FailedImage, PixelBox } from './image.ts';

/**
 * Runs models on images and texts, on this machine or on another. The port refers to no local files: images are passed as bytes or as a
 * URL, models by id and version. All arguments and results are plain data (structured clone), spelled as stored.
 */
export interface Inference {
  /**
   * Applies models to images; each image is decoded once for all models. Never rejects for an image: an image that cannot be fetched or
   * decoded, or that crashes the process, results in a {@link FailedImage}. If a model fails on an image, the image gets a `failed` output
   * for this model.
   * @param boxModels Models to apply to the detected objects, using the same decode; without them objects have only boxes and labels.
   * @returns Results in the order of `images`.
   * @throws AppError `unavailable` with the model's name when a model cannot be loaded; AbortError.
   */
  applyToImages(
    images: readonly InferenceImage[],
    models: readonly ModelRef[],
    signal?: AbortSignal,
    boxModels?: readonly ModelRef[],
  ): Promise<AppliedImage[]>;
  /**
   * Returns L2-normalised vectors of texts, computed by an encoder's text side or a sentence encoder. A text with no known word gets a zero
   * vector.
   * @throws AppError `invalid_request` for an encoder that takes only images, `unavailable` when the model cannot be loaded.
   */
  encodeTexts(texts: readonly string[], model: ModelRef, signal?: AbortSignal): Promise<Float32Array[]>;
  /**
   * Returns the labels of images whose vectors are known, as a zero-shot tagger would return them for the images.
   * @param vectors Vectors of the tagger's image encoder, concatenated.
   * @throws AppError `unavailable` when the model cannot be loaded.
   */
  tagVectors(vectors: Float32Array, tagger: ModelRef, signal?: AbortSignal): Promise<FoundLabel[][]>;
  /** Loads a model and runs it once. @throws AppError `unavailable` with the model's name and the problem. */
  tryModel(model: ModelRef, signal?: AbortSignal): Promise<void>;
  /** Releases loaded models; the next call loads them again. Call it when a model's files change or are deleted. */
  forgetModels(): void;
  /** Lists the execution providers that models can run on, in order of preference. Checked once per start of the app. */
  checkDevices(): Promise<DeviceCheck[]>;
  /** Returns the recent speed and the execution provider of each model, keyed by model id. */
  modelSpeeds(): ReadonlyMap<string, { items_per_s: number; provider: string }>;
}

/** Identifies a model and the exact version of its computation. A host resolves it to local files and rejects a version that it lacks. */
export interface ModelRef {
  model_id: string;
  /** Changes with the model's files and its run parameters. */
  version: string;
  /** Replaces the label list of a tagger that accepts any list. */
  labels?: readonly string[];
}

export interface InferenceImage {
  /** Key chosen by the caller, returned with the result. */
  key: number;
  /** The encoded file, or an http(s) URL to fetch it from. */
  content: { bytes: Uint8Array } | { url: string };
  /** Swaps red and blue in TIFF and HEIC files, for cameras that wrote them the wrong way round. */
  swap_rgb?: boolean;
}

/** Result for a box cropped from its image: its thumbnail and the outputs of the models, in the order of the models. */
export type DescribedBox = { ok: true; thumbnail: Uint8Array; outputs: ModelOutput[] } | { ok: false; reason: Message };

/**
 * `outputs` are in the order of the models; `width` and `height` in pixels after EXIF orientation. `boxes` has the objects of each output,
 * in order, and is empty without box models.
 */
export type AppliedImage =
  | { key: number; ok: true; width: number; height: number; outputs: ModelOutput[]; boxes: DescribedBox[][] }
  | FailedImage;

export interface FoundLabel {
  label: string;
  /** Index of the class in the model's own list; null if the model has no list. */
  class_id: number | null;
  /** Confidence, 0 … 1. */
  confidence: number;
}

export interface DetectedObject extends FoundLabel {
  /** Box in pixels of the upright image. */
  box: PixelBox;
}

/** Result of one model on one image, or on one box. */
export type ModelOutput =
  /** L2-normalised. */
  | { kind: 'vector'; vector: Float32Array }
  /** Highest confidence first. */
  | { kind: 'labels'; labels: FoundLabel[] }
  | { kind: 'objects'; objects: DetectedObject[] }
  | { kind: 'caption'; caption: string }
  | { kind: 'failed'; reason: Message };

/** An execution provider, and whether a small test graph ran on it. */
export interface DeviceCheck {
  provider: string;
  works: boolean;
  /** Why it does not work, or is slow; null if nothing is wrong. */
  problem: Message | null;
}
