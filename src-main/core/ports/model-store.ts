import type { ModelCatalogue, ModelDefinition, PackageDefinition } from '../../contract/schemas/model-definition.ts';
import type { ModelRef } from './inference.ts';

/** A package whose files are here, whole. */
export interface InstalledPackage {
  package: PackageDefinition;
  models: ModelDefinition[];
  origin: 'catalogue' | 'own';
  installed_at: string;
  size_bytes: number;
  /** SHA-256 over the hashes of its files. */
  content_hash: string;
}

export interface ImportResult {
  imported: InstalledPackage[];
  refused: { name: string; reason: string }[];
}

export interface DownloadOptions {
  /** Addresses of the hub and its mirrors, in the order in which they are tried. */
  hubs: readonly string[];
  signal: AbortSignal;
  /** Called as bytes arrive. `total`: of all files, null while nobody has said. */
  onProgress(receivedBytes: number, totalBytes: number | null): void;
}

/** The files of models in the data folder. A package is there whole or not at all. */
export interface ModelStore {
  readonly catalogue: ModelCatalogue;
  /** How {@link Inference} is asked for a model of an installed package. */
  refOf(model: ModelDefinition, installed: InstalledPackage): ModelRef;
  /** Absolute path of a file of an installed package. */
  fileOf(packageId: string, file: string): string;
  /** What is installed; clears away what an import that was cut off has left. */
  scan(): Promise<InstalledPackage[]>;
  /** Bytes of a download that was cut off. */
  receivedBytes(packageId: string): Promise<number>;
  /**
   * Copies the models that a folder, or a Parquet file of embeddings, holds.
   * @param busy Says why a package may not be touched now.
   * @throws AppError `invalid_request` when the path cannot be read, `disk_full`.
   */
  importFrom(path: string, busy: (packageId: string) => string | undefined): Promise<ImportResult>;
  /**
   * Makes sure that the disk has room for what is still to come, as far as sizes are stated.
   * @throws AppError `disk_full`.
   */
  ensureRoom(definition: PackageDefinition): Promise<void>;
  /**
   * Fetches a package, going on where an earlier try was cut off.
   * @throws AppError with a plain reason; AbortError, after which what was received is kept.
   */
  download(definition: PackageDefinition, options: DownloadOptions): Promise<InstalledPackage>;
  /** Deletes an installed package, or what was received of it. */
  remove(packageId: string): Promise<void>;
  /** The person's own label list of a tagger; null when there is none. */
  readLabels(modelId: string): Promise<string[] | null>;
  saveLabels(modelId: string, labels: string[] | null): Promise<void>;
  close(): void;
}
