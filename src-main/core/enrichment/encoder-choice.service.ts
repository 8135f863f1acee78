import type { Output } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import type { CallContext } from '../core.ts';
import type { Inference } from '../ports/inference.ts';
import type { KnownModel, ModelLibrary } from '../ports/model.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { EnrichmentRepository } from './enrichment.repository.ts';

/** A dataset's choice to be known by looks alone. */
const NO_ENCODER = 'none';

/** An encoder that was chosen, and whether it can be used now. */
export interface EncoderChoice {
  encoder_id: string;
  is_here: boolean;
}

/** Which encoders datasets can have for their meaning, and which one a new dataset gets. */
export class EncoderChoiceService {
  readonly #parts: {
    library: ModelLibrary;
    settings: SettingsService;
    inference: Pick<Inference, 'modelSpeeds'>;
    enrichments: EnrichmentRepository;
  };

  constructor(parts: {
    library: ModelLibrary;
    settings: SettingsService;
    inference: Pick<Inference, 'modelSpeeds'>;
    enrichments: EnrichmentRepository;
  }) {
    this.#parts = parts;
  }

  /** The better ones first, whether they are here or not. */
  async list(_context: CallContext): Promise<Output<'list_encoders'>> {
    const speeds = this.#parts.inference.modelSpeeds();
    const encoders = await this.#encoders();
    return {
      default_encoder: (await this.#default()) ?? null,
      encoders: encoders.map(({ definition, package: files, installed, can_download, size_bytes }) => ({
        model_id: definition.id,
        name: definition.name,
        description: definition.description,
        package_id: files.id,
        licence: files.licence,
        installed,
        can_download,
        size_bytes: size_bytes ?? 0,
        finds_texts: findsTexts(definition.runner),
        items_per_s: speeds.get(definition.id)?.items_per_s ?? null,
      })),
    };
  }

  /**
   * What a new dataset gets: the encoder asked for, none, or the default. One that is not here yet is waited for.
   * @throws AppError `invalid_request` when there is no such encoder.
   */
  async resolve(asked: string | undefined): Promise<EncoderChoice | undefined> {
    if (asked === NO_ENCODER) return undefined;
    if (asked === undefined) {
      const encoder = await this.#default();
      return encoder === undefined ? undefined : { encoder_id: encoder, is_here: true };
    }
    const model = await this.#parts.library.find(asked);
    if (model?.definition.runner.kind !== 'image_encoder') {
      throw new AppError('invalid_request', `There is no encoder ${asked}`);
    }
    return { encoder_id: asked, is_here: model.installed };
  }

  /** The same for what cannot wait. @throws AppError `invalid_request` also when the encoder is not here. */
  async resolveHere(asked: string | undefined): Promise<string | undefined> {
    const choice = await this.resolve(asked);
    if (choice?.is_here !== false) return choice?.encoder_id;
    const model = await this.#parts.library.find(choice.encoder_id);
    throw new AppError(
      'invalid_request',
      `${model?.definition.name} is not on this computer; download or import it first`,
    );
  }

  /** Joins the transaction that makes a dataset. */
  assign(datasetId: string, choice: EncoderChoice | undefined): void {
    const { enrichments } = this.#parts;
    if (choice?.is_here === true) enrichments.setEncoder(datasetId, choice.encoder_id, {});
    else if (choice) enrichments.want(datasetId, choice.encoder_id);
  }

  /** The one that is set, where it is here; else the best that is here. */
  async #default(): Promise<string | undefined> {
    const wanted = this.#parts.settings.get('DEFAULT_ENCODER');
    if (wanted === NO_ENCODER) return undefined;
    const here = (await this.#encoders()).filter(({ installed }) => installed);
    return (here.find(({ definition }) => definition.id === wanted) ?? here[0])?.definition.id;
  }

  /** Those that know texts before those that know images only, finer vectors before coarser ones, small models before large ones. */
  async #encoders(): Promise<KnownModel[]> {
    const models = await this.#parts.library.list();
    const rank = (model: KnownModel) => {
      const { runner } = model.definition;
      return runner.kind === 'image_encoder' ? [Number(findsTexts(runner)), runner.dim, -(model.size_bytes ?? 0)] : [];
    };
    return models
      .filter(({ definition }) => definition.runner.kind === 'image_encoder' && definition.status === 'Active')
      .map((model) => ({ model, rank: rank(model) }))
      .sort((a, b) => {
        const [better = 0] = b.rank
          .map((value, at) => value - (a.rank[at] ?? 0))
          .filter((difference) => difference !== 0);
        return better;
      })
      .map(({ model }) => model);
  }
}

function findsTexts(runner: KnownModel['definition']['runner']): boolean {
  return runner.kind === 'image_encoder' && runner.text !== undefined;
}
