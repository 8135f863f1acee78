import type { Input } from '../../contract/contract.ts';
import type { Recommendation } from '../../contract/schemas/model.ts';
import type { CallContext } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { ModelService } from '../models/model.service.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Log } from '../ports/log.ts';
import type { KnownModel, ModelLibrary } from '../ports/model.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { EnrichmentRepository } from './enrichment.repository.ts';

export interface RecommendationServiceParts {
  catalog: Catalog;
  library: ModelLibrary;
  models: ModelService;
  settings: SettingsService;
  enrichments: EnrichmentRepository;
  /** Email address for tasks that start without a call. */
  ownerEmail: string;
  log: Log;
}

/**
 * Offers the recommended encoder once. After "yes" it is downloaded, also across restarts; existing datasets without an encoder and new ones
 * get it as soon as it is installed. "No" is remembered. Files that come with the installation are installed without a question.
 */
export class RecommendationService {
  readonly #parts: RecommendationServiceParts;

  /** The operations that this service handles. */
  readonly handlers = {
    get_recommendation: (context) => this.get(context),
    answer_recommendation: (context, input) => this.answer(context, input),
  } satisfies SomeHandlers;

  constructor(parts: RecommendationServiceParts) {
    this.#parts = parts;
  }

  async get(_context: CallContext): Promise<Recommendation> {
    const { library, models, settings } = this.#parts;
    const encoder = await this.#find();
    if (!encoder) return { state: 'none', package: null };
    const files = await models.describe(encoder.package.id);
    const answer = settings.get('RECOMMENDED_ENCODER');
    const state = (): Recommendation['state'] => {
      if (encoder.installed) return 'installed';
      if (answer === 'declined') return 'declined';
      if (files.state === 'downloading') return 'downloading';
      if (answer === 'accepted') return files.state === 'failed' ? 'failed' : 'downloading';
      return 'ask';
    };
    const isOffered = (files.can_download && !settings.isOn('MODELS_NEVER_DOWNLOAD')) || files.bundled;
    const others = (await library.list()).some(isInstalledEncoder);
    const found = state();
    const isNeeded = found !== 'ask' || (isOffered && !others);
    return { state: isNeeded ? found : 'none', package: files };
  }

  /** @throws AppError as {@link ModelService.downloadPackage}, before the answer is stored. */
  async answer(context: CallContext, { answer }: Input<'answer_recommendation'>): Promise<Recommendation> {
    if (answer === 'accepted') await this.#accept(context.principal.email);
    else this.#parts.settings.set('RECOMMENDED_ENCODER', answer);
    this.#parts.models.announce();
    return this.get(context);
  }

  /** Continues an accepted download that a quit or a crash interrupted, and installs files that come with the installation. */
  async resume(): Promise<void> {
    const { models, settings, ownerEmail, log } = this.#parts;
    try {
      const encoder = await this.#find();
      if (!encoder || encoder.installed) return;
      const answer = settings.get('RECOMMENDED_ENCODER');
      const isBundled = answer === 'ask' && (await models.describe(encoder.package.id)).bundled;
      if (answer === 'accepted' || isBundled) await this.#accept(ownerEmail);
    } catch (error) {
      log.warn({ err: error }, 'the recommended encoder cannot be installed now');
    }
  }

  async #accept(email: string): Promise<void> {
    const { catalog, models, settings, enrichments } = this.#parts;
    const encoder = await this.#find();
    if (!encoder) return;
    if (!encoder.installed) await models.ensureDownload(encoder.package.id, email);
    settings.set('RECOMMENDED_ENCODER', 'accepted');
    catalog.transaction(() => enrichments.wantWhereMissing(encoder.definition.id));
    models.announce();
  }

  async #find(): Promise<KnownModel | undefined> {
    const known = await this.#parts.library.list();
    return known.find(
      (model) => model.package.recommended === true && model.definition.runner.kind === 'image_encoder',
    );
  }
}

function isInstalledEncoder({ installed, definition }: KnownModel): boolean {
  return installed && definition.runner.kind === 'image_encoder';
}
