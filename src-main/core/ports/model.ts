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
  /** Size of the package's files: of the installed files, else as stated by the catalogue; null if unknown. */
  size_bytes: number | null;
}

/** An installed model: its definition, its run parameters, and its reference for {@link Inference}. */
export interface InstalledModel {
  ref: ModelRef;
  type: EnrichmentType;
  runner: Runner;
}

/** The usable models. The set changes when packages are installed or removed. */
export interface ModelLibrary {
  list(): Promise<KnownModel[]>;
  find(modelId: string): Promise<KnownModel | undefined>;
  /** Returns the installed tagger that compares the vectors of an encoder with words; undefined if the encoder takes only images. */
  findTagger(encoderId: string): KnownModel | undefined;
  /**
   * Returns an installed model, with the user's own label list if one is set.
   * @throws AppError `invalid_request` when the model is not installed.
   */
  get(modelId: string): Promise<InstalledModel>;
  /** Returns the absolute path of the file of embeddings of an installed model of the kind `precomputed`. */
  embeddingsFile(modelId: string): Promise<string>;
}
