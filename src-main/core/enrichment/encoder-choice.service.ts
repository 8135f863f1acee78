import type { Output } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { CallContext } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Inference } from '../ports/inference.ts';
import type { KnownModel, ModelLibrary } from '../ports/model.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import { type EnrichmentRepository, NO_ENCODER } from './enrichment.repository.ts';

/** A chosen encoder, and whether it is installed. {@link NO_ENCODER} is never installed. */
export interface EncoderChoice {
  encoder_id: string;
  is_here: boolean;
}

/** Lists the encoders available for the `meaning` space, and chooses the one of a new dataset. */
export class EncoderChoiceService {
  readonly #parts: {
    library: ModelLibrary;
    settings: SettingsService;
    inference: Pick<Inference, 'modelSpeeds'>;
    enrichments: EnrichmentRepository;
  };

  /** The operations that this service handles. */
  readonly handlers = {
    list_encoders: (context) => this.list(context),
  } satisfies SomeHandlers;

  constructor(parts: {
    library: ModelLibrary;
    settings: SettingsService;
    inference: Pick<Inference, 'modelSpeeds'>;
    enrichments: EnrichmentRepository;
  }) {
    this.#parts = parts;
  }

  /** Lists encoders, better ones first, installed or not. */
  async list(_context: CallContext): Promise<Output<'list_encoders'>> {
    const speeds = this.#parts.inference.modelSpeeds();
    const encoders = await this.#encoders();
    const defaultId = (await this.#default())?.encoder_id ?? null;
    return {
      default_encoder: defaultId === NO_ENCODER ? null : defaultId,
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
   * Returns the encoder of a new dataset: the requested one, {@link NO_ENCODER}, or the default; undefined if there is none. If the encoder
   * is not installed yet, the dataset gets it once it is.
   * @throws AppError `invalid_request` when the encoder does not exist.
   */
  async resolve(requested: string | undefined): Promise<EncoderChoice | undefined> {
    if (requested === NO_ENCODER) return { encoder_id: NO_ENCODER, is_here: false };
    if (requested === undefined) return this.#default();
    const model = await this.#parts.library.find(requested);
    if (model?.definition.runner.kind !== 'image_encoder') {
      throw new AppError('invalid_request', message('encoder_unknown', { model: requested }));
    }
    return { encoder_id: requested, is_here: model.installed };
  }

  /** Like {@link resolve}, for immediate use. @throws AppError `invalid_request` also when the encoder is not installed. */
  async resolveHere(requested: string | undefined): Promise<string | undefined> {
    const choice = await this.resolve(requested);
    if (choice?.encoder_id === NO_ENCODER) return undefined;
    if (choice?.is_here !== false) return choice?.encoder_id;
    const model = await this.#parts.library.find(choice.encoder_id);
    throw new AppError(
      'invalid_request',
      message('model_not_on_computer', { model: model?.definition.name ?? choice.encoder_id }),
    );
  }

  /** Stores the encoder of a new dataset. Joins the transaction that creates the dataset. */
  assign(datasetId: string, choice: EncoderChoice | undefined): void {
    const { enrichments } = this.#parts;
    if (choice?.is_here === true) enrichments.setEncoder(datasetId, choice.encoder_id, {});
    else if (choice) enrichments.want(datasetId, choice.encoder_id);
  }

  /**
   * Returns the encoder of the settings if it is installed, else the best installed encoder, else the recommended one if it was accepted and is
   * not installed yet.
   */
  async #default(): Promise<EncoderChoice | undefined> {
    const { settings } = this.#parts;
    const preferred = settings.get('DEFAULT_ENCODER');
    if (preferred === NO_ENCODER) return { encoder_id: NO_ENCODER, is_here: false };
    const encoders = await this.#encoders();
    const here = encoders.filter(({ installed }) => installed);
    const isAccepted = settings.get('RECOMMENDED_ENCODER') === 'accepted';
    const found =
      here.find(({ definition }) => definition.id === preferred) ??
      here[0] ??
      (isAccepted ? encoders.find((model) => model.package.recommended) : undefined);
    return found && { encoder_id: found.definition.id, is_here: found.installed };
  }

  /**
   * Lists encoders by preference: those with a text side before image-only ones, then finer vectors before coarser ones, then small models
   * before large ones.
   */
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
