import type { ModelCatalogue, ModelDefinition, PackageDefinition } from '../../contract/schemas/model-definition.ts';
import type { ModelRef } from './inference.ts';

/** A package whose files are installed and complete. */
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
  /** Called as bytes arrive. `total`: of all files, null while unknown. */
  onProgress(receivedBytes: number, totalBytes: number | null): void;
}

/** The files of models in the data folder. A package is installed completely or not at all. */
export interface ModelStore {
  readonly catalogue: ModelCatalogue;
  /** How {@link Inference} is asked for a model of an installed package. */
  refOf(model: ModelDefinition, installed: InstalledPackage): ModelRef;
  /** Absolute path of a file of an installed package. */
  fileOf(packageId: string, file: string): string;
  /** Lists installed packages. Deletes the remains of interrupted imports. */
  scan(): Promise<InstalledPackage[]>;
  /** Bytes received by an interrupted download. */
  receivedBytes(packageId: string): Promise<number>;
  /**
   * Copies the models in a folder, or a Parquet file of embeddings.
   * @param busy Returns why a package cannot be changed now.
   * @throws AppError `invalid_request` when the path cannot be read, `disk_full`.
   */
  importFrom(path: string, busy: (packageId: string) => string | undefined): Promise<ImportResult>;
  /**
   * Checks that the disk has room for the rest of a download, as far as sizes are stated.
   * @throws AppError `disk_full`.
   */
  ensureRoom(definition: PackageDefinition): Promise<void>;
  /**
   * Downloads a package and resumes an interrupted download.
   * @throws AppError with a plain reason; AbortError, after which the received bytes are kept.
   */
  download(definition: PackageDefinition, options: DownloadOptions): Promise<InstalledPackage>;
  /** Deletes an installed package, or the received bytes of its download. */
  remove(packageId: string): Promise<void>;
  /** The user's own label list of a tagger; null when there is none. */
  readLabels(modelId: string): Promise<string[] | null>;
  saveLabels(modelId: string, labels: string[] | null): Promise<void>;
  close(): void;
}
