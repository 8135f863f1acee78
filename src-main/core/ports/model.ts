import type {
  EnrichmentType,
  ModelDefinition,
  PackageDefinition,
  Runner,
} from '../../contract/schemas/model-definition.ts';
import type { FailedImage, PixelBox } from './image.ts';

/** How a compute process runs a model; plain data. */
export interface ModelSpec {
  model_id: string;
  type: EnrichmentType;
  /** Absolute folder of the package's files. */
  folder: string;
  runner: Runner;
}

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

/** What one model says of one image, or of one box. */
export type ModelOutput =
  /** L2-normalised. */
  | { kind: 'vector'; vector: Float32Array }
  /** The most certain first. */
  | { kind: 'labels'; labels: FoundLabel[] }
  | { kind: 'objects'; objects: DetectedObject[] }
  | { kind: 'caption'; caption: string }
  | { kind: 'failed'; reason: string };

/** What a box on an image looks like by itself, and what models say of it. `outputs` are in the order of the models asked for. */
export type DescribedBox = { ok: true; thumbnail: Uint8Array; outputs: ModelOutput[] } | { ok: false; reason: string };

/**
 * `outputs` are in the order of the models asked for; `boxes` are of the objects of each, in their order, and none where they were not to be
 * described.
 */
export type AppliedImage =
  | { key: number; ok: true; width: number; height: number; outputs: ModelOutput[]; boxes: DescribedBox[][] }
  | FailedImage;

export type AppliedCrops = { key: number; ok: true; crops: (DescribedBox & { key: number })[] } | FailedImage;

/** An execution provider and whether a tiny graph ran on it. */
export interface DeviceCheck {
  provider: string;
  works: boolean;
  reason: string | null;
}

/** A model of the catalogue or of the person, and whether its files are here. */
export interface KnownModel {
  definition: ModelDefinition;
  package: PackageDefinition;
  installed: boolean;
  /** Whether its package can be fetched. */
  can_download: boolean;
  /** Of the package's files, as far as they are here or their size is stated. */
  size_bytes: number | null;
}

/** The models that can be used; changes as packages come and go. */
export interface ModelLibrary {
  list(): Promise<KnownModel[]>;
  find(modelId: string): Promise<KnownModel | undefined>;
  /**
   * How compute processes run it, with the person's own label list where there is one.
   * @throws AppError `invalid_request` when no such model is installed.
   */
  specOf(modelId: string): Promise<ModelSpec>;
}
