import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { StoreReads } from '../ports/dataset-store.ts';
import type { Inference, ModelRef } from '../ports/inference.ts';
import type { ModelLibrary } from '../ports/model.ts';
import type { ShownScore } from '../ports/pages.ts';
import {
  type Condition,
  everything,
  type NoiseDistribution,
  type Score,
  TEXT_COLUMNS,
  type TextColumn,
} from '../ports/query.ts';
import { cosineAt } from './calibration.ts';
import type { EnrichmentRepository } from './enrichment.repository.ts';
import { hasDirection } from './has-direction.ts';
import { parseWords } from './parse-words.ts';

type WordScore = Extract<Score, { name: 'words' }>;

/** Distance from which clients show a match as loose. */
const LOOSE = 0.6;

export interface TextToFind {
  /** Target of the comparison: items, or captions that have vectors, are compared by meaning; `words` searches all texts for words. */
  of: 'items' | 'captions' | 'words';
  value: string;
  /** Maximum calibrated distance; null for no limit. */
  max_distance: number | null;
}

/** The parts of a plan that represent texts. */
interface TextPlan {
  conditions: Condition[];
  scores: Score[];
  shown: ShownScore;
}

/** Converts texts to vectors of a dataset's own spaces, and to conditions on words. */
export class TextQueryService {
  readonly #parts: { library: ModelLibrary; inference: Inference; enrichments: EnrichmentRepository };

  constructor(parts: { library: ModelLibrary; inference: Inference; enrichments: EnrichmentRepository }) {
    this.#parts = parts;
  }

  /** Returns the kinds of text search that a dataset supports. */
  async options(datasetId: string, store: StoreReads) {
    const labels = [
      ...(await store.explore.listLabels(everything('IMAGES'), 1)),
      ...(await store.explore.listLabels(everything('OBJECTS'), 1)),
    ];
    const { n_captions } = await store.items.counts();
    const hasCaptionEncoder = (await this.#captionEncoder(datasetId)) !== undefined;
    const hasEncoder = (await this.#imageEncoder(store, 'IMAGES')) !== undefined;
    return {
      labels_search: labels.length > 0,
      captions_search: n_captions > 0,
      semantic_search: hasEncoder || n_captions > 0,
      semantic_by: [
        ...(hasEncoder ? ['images' as const] : []),
        ...(n_captions > 0 && hasCaptionEncoder ? ['captions' as const] : []),
      ],
    };
  }

  /**
   * Converts texts to parts of a plan. Words become conditions, and also scores if no other score exists. Other texts are compared by
   * meaning.
   * @throws AppError `invalid_request` if the dataset's models have no text side; the message names what is needed.
   */
  async toPlan(
    datasetId: string,
    store: StoreReads,
    entityType: EntityType,
    texts: readonly TextToFind[],
    signal: AbortSignal,
  ): Promise<TextPlan> {
    const words = texts.filter(({ of }) => of === 'words').map((text) => wordScore(text, TEXT_COLUMNS));
    const meant = texts.filter(({ of }) => of !== 'words');
    if (meant.length === 0) return planOfWords(words);
    const meaning = await this.#byMeaning(datasetId, store, entityType, meant, signal);
    return { ...meaning, conditions: [...words.map(asCondition), ...meaning.conditions] };
  }

  /**
   * Texts for captions are compared with the captions if there are any, else with the images. Other texts are compared with the images, or
   * with the captions if the images' encoder has no text side. Captions match by their words, and by meaning if they have vectors.
   */
  async #byMeaning(
    datasetId: string,
    store: StoreReads,
    entityType: EntityType,
    texts: readonly TextToFind[],
    signal: AbortSignal,
  ): Promise<TextPlan> {
    const encoder = await this.#imageEncoder(store, entityType);
    const prefersCaptions = encoder === undefined || texts.every(({ of }) => of === 'captions');
    if (entityType === 'IMAGES' && prefersCaptions && (await store.items.counts()).n_captions > 0) {
      const captionEncoder = await this.#captionEncoder(datasetId);
      if (captionEncoder) return this.#encode(captionEncoder, 'captions', texts, undefined, signal);
      return planOfWords(texts.map((text) => wordScore(text, ['caption'])));
    }
    if (!encoder) {
      throw new AppError('invalid_request', message('text_search_unavailable'));
    }
    const noise = this.#parts.enrichments.noiseOf(datasetId);
    return this.#encode(encoder, 'items', texts, noise[entityType] ?? noise.IMAGES, signal);
  }

  async #encode(
    model: ModelRef,
    of: 'items' | 'captions',
    texts: readonly TextToFind[],
    noise: NoiseDistribution | undefined,
    signal: AbortSignal,
  ): Promise<TextPlan> {
    const vectors = await this.#parts.inference.encodeTexts(
      texts.map(({ value }) => value),
      model,
      signal,
    );
    return {
      conditions: [],
      scores: texts.map(({ value, max_distance }, at) => {
        const vector = vectors[at];
        if (!vector || !hasDirection(vector)) {
          throw new AppError('invalid_request', message('text_words_unknown', { text: value }));
        }
        const least = leastSimilarity(max_distance, noise);
        const words = of === 'captions' ? { words: parseWords(value) } : {};
        return {
          name: 'text',
          of,
          vector,
          least_similarity: least,
          cut_off: noise ?? { similarity: 1 - LOOSE },
          ...words,
        };
      }),
      // Sentences of similar meaning have small distances, so captions need no calibration.
      shown: { type: 'cosine_distance', scale: noise ?? 'not_negative' },
    };
  }

  /** Returns the encoder of captions; undefined if captions have no vectors, or their encoder is not installed any more. */
  async #captionEncoder(datasetId: string): Promise<ModelRef | undefined> {
    const { library, enrichments } = this.#parts;
    const modelId = enrichments.modelsOf(datasetId).CAPTION_ENCODING;
    if (modelId === undefined || !(await library.find(modelId))?.installed) return undefined;
    return (await library.get(modelId)).ref;
  }

  /** Returns the encoder of images; undefined if it has no text side, or is not installed any more. */
  async #imageEncoder(store: StoreReads, entityType: EntityType): Promise<ModelRef | undefined> {
    const made = await store.vectors.findSpace('meaning', entityType);
    const known = made && (await this.#parts.library.find(made.encoder_id));
    if (!known?.installed) return undefined;
    const { runner, id } = known.definition;
    return runner.kind === 'image_encoder' && runner.text ? (await this.#parts.library.get(id)).ref : undefined;
  }
}

function planOfWords(words: WordScore[]): TextPlan {
  const type = words.length > 0 ? 'text_rank' : 'cosine_distance';
  return { conditions: words.map(asCondition), scores: words, shown: { type, scale: 'not_negative' } };
}

function wordScore({ value, max_distance }: TextToFind, columns: readonly TextColumn[]): WordScore {
  return { name: 'words', query: parseWords(value), columns, max_distance };
}

function asCondition({ query, columns, max_distance }: WordScore): Condition {
  return { name: 'words', query, columns, max_distance };
}

function leastSimilarity(maxDistance: number | null, noise: NoiseDistribution | undefined): number {
  if (maxDistance === null) return Number.NEGATIVE_INFINITY;
  return noise ? cosineAt(maxDistance, noise) : 1 - maxDistance;
}
