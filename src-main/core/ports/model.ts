import type {
  EnrichmentType,
  ModelDefinition,
  PackageDefinition,
  Runner,
} from '../../contract/schemas/model-definition.ts';
import type { ModelRef } from './inference.ts';

/** A model of the catalogue or of the user, and whether its files are installed. */
export interface KnownModel {
  definition: ModelDefinition;
  package: PackageDefinition;
  installed: boolean;
  /** Whether its package can be downloaded. */
  can_download: boolean;
  /** Size of the package's files, as far as they are installed or their size is stated. */
  size_bytes: number | null;
}

/** An installed model: what it does, how it is run, and how {@link Inference} is asked for it. */
export interface InstalledModel {
  ref: ModelRef;
  type: EnrichmentType;
  runner: Runner;
}

/** The models that can be used; changes when packages are installed or removed. */
export interface ModelLibrary {
  list(): Promise<KnownModel[]>;
  find(modelId: string): Promise<KnownModel | undefined>;
  /**
   * An installed model, with the user's own label list where there is one.
   * @throws AppError `invalid_request` when no such model is installed.
   */
  get(modelId: string): Promise<InstalledModel>;
  /** Absolute path of the file of embeddings that an installed model of the kind `precomputed` consists of. */
  embeddingsFile(modelId: string): Promise<string>;
}
