import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { Score } from '../../../core/ports/query.ts';
import { hasVector } from '../../vectors/rows.ts';
import type { Facts } from '../explore/row-facts.ts';
import { byVectors, leastSimilarity, type Ranking, type ScoreKind } from '../explore/score-kind.ts';

export const like: ScoreKind<'like'> = { vectorsOf: shownVectors, rank: rankByItem };

export const likeImage: ScoreKind<'like_image'> = { vectorsOf: shownVectors, rank: rankByImage };

/** Returns the vectors of the shown space. */
function shownVectors(_score: Score, { vectors, index, entity_type }: Facts) {
  return vectors.of(index.shownSpace(entity_type), entity_type);
}

/** @throws AppError `not_found` for an anchor that is not an item, `conflict` for an anchor whose vector is lost. */
async function rankByItem({ media_id, max_distance }: Score & { name: 'like' }, facts: Facts): Promise<Ranking> {
  const { entity_type, media, objects, vectors, index } = facts;
  const item = media.find(media_id);
  const found = item ?? objects.find(media_id);
  if (!found) throw new AppError('not_found', message('anchor_not_in_dataset'));
  const ofType: EntityType = item ? 'IMAGES' : 'OBJECTS';
  // Imported vectors may exist for items only. All rows can be compared by appearance embeddings (`looks`).
  const shown = index.shownSpace(entity_type);
  const spaces = ofType === entity_type || vectors.isShared(shown) ? [shown, 'looks' as const] : ['looks' as const];
  const requested = Int32Array.of(found.row);
  const anchors = await Promise.all(
    spaces.map(async (space) => ({ space, vector: await vectors.of(space, ofType).fetch(requested) })),
  );
  const anchor = anchors.find(({ vector }) => hasVector(vector, vector.length, 0));
  if (!anchor) {
    throw new AppError('conflict', message('anchor_vector_damaged'));
  }
  return {
    above: leastSimilarity(max_distance),
    ...(ofType === entity_type ? { same: new Set([found.row]) } : {}),
    ...byVectors(vectors.of(anchor.space, entity_type), anchor.vector),
  };
}

/** @throws AppError `invalid_request` for an image without a vector of the dataset's encoders. */
function rankByImage(
  { vectors: encoded, content_hash, max_distance }: Score & { name: 'like_image' },
  { entity_type, media, vectors, index }: Facts,
): Ranking {
  const spaces = [index.shownSpace(entity_type), 'looks' as const];
  const found = spaces.flatMap((of) => {
    const encoderId = vectors.find(of, entity_type)?.encoder_id;
    return encoded.filter(({ space, encoder_id }) => space === of && encoder_id === encoderId);
  })[0];
  if (!found) {
    throw new AppError('invalid_request', message('query_image_of_other_encoder'));
  }
  const isWholeItem = entity_type === 'IMAGES' && content_hash !== null;
  return {
    above: leastSimilarity(max_distance),
    ...(isWholeItem ? { same: new Set(media.rowsOfContent(content_hash)) } : {}),
    ...byVectors(vectors.of(found.space, entity_type), found.vector),
  };
}
