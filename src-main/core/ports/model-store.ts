import type { Message } from '../../contract/messages.ts';
import type { ModelCatalogue, ModelDefinition, PackageDefinition } from '../../contract/schemas/model-definition.ts';
import type { ModelRef } from './inference.ts';

/** A package whose files are installed and complete. */
export interface InstalledPackage {
  package: PackageDefinition;
  models: ModelDefinition[];
  origin: 'catalogue' | 'own';
  installed_at: string;
  size_bytes: number;
  /** SHA-256 over the hashes of the package's files. */
  content_hash: string;
}

export interface ImportResult {
  imported: InstalledPackage[];
  refused: { name: string; problem: Message }[];
}

export interface DownloadOptions {
  /** Base URL of a mirror with the files at `<package>/<path>`, tried before the hubs; null for none. */
  mirror: string | null;
  /** Base URLs of the hub and its mirrors, in the order in which they are tried. */
  hubs: readonly string[];
  signal: AbortSignal;
  /** Called as bytes arrive. `totalBytes` is the size of all files; null while unknown. */
  onProgress(receivedBytes: number, totalBytes: number | null): void;
}

/** The files of models in the data folder. A package is installed completely or not at all. */
export interface ModelStore {
  readonly catalogue: ModelCatalogue;
  /** Returns the reference that {@link Inference} takes for a model of an installed package. */
  refOf(model: ModelDefinition, installed: InstalledPackage): ModelRef;
  /** Returns the absolute path of a file of an installed package. */
  fileOf(packageId: string, file: string): string;
  /** Lists the files of an installed package, with its definition, as relative paths. */
  listFiles(packageId: string): Promise<string[]>;
  /** Lists installed packages. Deletes the remains of interrupted imports. */
  scan(): Promise<InstalledPackage[]>;
  /** Whether all files of a package come with this installation, so that a download needs no network. */
  isBundled(definition: PackageDefinition): Promise<boolean>;
  /** Returns the number of bytes received by an interrupted download. */
  receivedBytes(packageId: string): Promise<number>;
  /**
   * Copies the models in a folder, or a Parquet file of embeddings.
   * @param busy Returns the reason why a package cannot be changed now; undefined if it can.
   * @throws AppError `invalid_request` when the path cannot be read, `disk_full`.
   */
  importFrom(path: string, busy: (packageId: string) => Message | undefined): Promise<ImportResult>;
  /**
   * Checks that the disk has room for the rest of a download, as far as the sizes are known.
   * @throws AppError `disk_full`.
   */
  ensureRoom(definition: PackageDefinition): Promise<void>;
  /**
   * Downloads a package and resumes an interrupted download. Files that come with this installation are copied instead.
   * @throws AppError that names the problem; AbortError. The received bytes are kept after an AbortError.
   */
  download(definition: PackageDefinition, options: DownloadOptions): Promise<InstalledPackage>;
  /** Deletes an installed package, or the received bytes of its download. */
  remove(packageId: string): Promise<void>;
  /** Returns the user's own label list of a tagger; null if none is set. */
  readLabels(modelId: string): Promise<string[] | null>;
  saveLabels(modelId: string, labels: string[] | null): Promise<void>;
  close(): void;
}
