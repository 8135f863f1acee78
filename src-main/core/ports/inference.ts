import type { FailedImage, PixelBox } from './image.ts';

/**
 * Models on images and texts, on this machine or on another: a port that names no file of this machine. Images come as bytes or as an
 * address, models by id and version; everything that crosses is plain data (structured clone), spelled as it is stored.
 */
export interface Inference {
  /**
   * Applies models to images, one decode of each for all models. Never rejects for an image: one that cannot be fetched or decoded, or that
   * ends the process that works on it, is a {@link FailedImage}. A model that fails on one image is that image's `failed` output.
   * @returns Results in the order of `images`.
   * @throws AppError `unavailable` when a model cannot be loaded, with its name; AbortError.
   */
  applyToImages(
    images: readonly InferenceImage[],
    models: readonly ModelRef[],
    signal?: AbortSignal,
  ): Promise<InferredImage[]>;
  /**
   * Vectors of texts, L2-normalised, by an encoder's text side or a sentence encoder; zeros for a text that the model knows no word of.
   * @throws AppError `invalid_request` for an encoder that takes only images, `unavailable` when it cannot be loaded.
   */
  encodeTexts(texts: readonly string[], model: ModelRef, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Loads a model and runs it once. @throws AppError `unavailable` with its name and what is wrong with it. */
  tryModel(model: ModelRef, signal?: AbortSignal): Promise<void>;
  /** Releases loaded models; the next call loads them again. Call it when a model's files have changed or go. */
  forgetModels(): void;
  /** Execution providers that models can run on, the one used first at the front. Checked once per start of the app. */
  checkDevices(): Promise<DeviceCheck[]>;
  /** Recent speed of each model by its id, and the execution provider it ran on. */
  modelSpeeds(): ReadonlyMap<string, { items_per_s: number; provider: string }>;
}

/** Names a model and exactly what it computes. A host resolves it to its own files and refuses a version that it does not have. */
export interface ModelRef {
  model_id: string;
  /** Changes with the model's files and with how it is run. */
  version: string;
  /** Replaces the label list of a tagger that takes any list. */
  labels?: readonly string[];
}

export interface InferenceImage {
  /** Key chosen by the caller, returned with the result. */
  key: number;
  /** The encoded file, or an http(s) address that it can be fetched from. */
  content: { bytes: Uint8Array } | { url: string };
  /** Swaps red and blue in TIFF and HEIC files, for cameras that wrote them the wrong way round. */
  swap_rgb?: boolean;
}

/** `outputs` are in the order of the models; `width` and `height` in pixels after EXIF orientation. */
export type InferredImage =
  | { key: number; ok: true; width: number; height: number; outputs: ModelOutput[] }
  | FailedImage;

export interface FoundLabel {
  label: string;
  /** Number of the class in the model's own list; null where it has none. */
  class_id: number | null;
  /** 0 … 1. */
  confidence: number;
}

export interface DetectedObject extends FoundLabel {
  /** In pixels of the upright image. */
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
  | { kind: 'failed'; reason: string };

/** An execution provider and whether a small graph ran on it. */
export interface DeviceCheck {
  provider: string;
  works: boolean;
  reason: string | null;
}
