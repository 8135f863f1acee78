import type { EnrichmentModel } from '../../../src-main/contract/schemas/model.ts';
import { ENRICHMENT_TYPES, type EnrichmentType } from '../../../src-main/contract/schemas/model-definition.ts';
import { navigate } from '../../lib/location.ts';
import { type EnrichPlace, routes, useEnrichPlace } from '../../lib/routes.ts';

/** What a dataset is enriched with already, by type. */
export type AppliedModels = Partial<Record<EnrichmentType, string>>;

export interface Choices {
  /** At most one of each type, in the order of the types. */
  chosen: readonly EnrichmentModel[];
  choose(model: EnrichmentModel): void;
  clear(type: EnrichmentType): void;
  /** Models that need others which are neither chosen nor applied, and which kinds these are. */
  missing: readonly { model: EnrichmentModel; types: readonly EnrichmentType[] }[];
  shown: string | undefined;
  beside: string | undefined;
  show(place: Pick<EnrichPlace, 'shown' | 'beside'>): void;
}

/** Which models are chosen, as the address tells: reloading and going back keep it. Models that cannot be applied are passed over. */
export function useChoices(datasetId: string, models: readonly EnrichmentModel[], applied: AppliedModels): Choices {
  const place = useEnrichPlace();
  const known = models.filter((model) => place.models.includes(model.id) && model.unavailable_reason === null);
  const chosen = ENRICHMENT_TYPES.flatMap((type) => known.find((model) => model.type === type) ?? []);
  const go = (change: EnrichPlace) => navigate(routes.enrich(datasetId, { ...place, ...change }), { replace: true });
  const without = (type: EnrichmentType) => chosen.filter((model) => model.type !== type).map((model) => model.id);
  const missing = chosen.flatMap((model) => {
    const types = (model.dependencies ?? []).filter(
      (type) => applied[type] === undefined && !chosen.some((other) => other.type === type),
    );
    return types.length > 0 ? [{ model, types }] : [];
  });
  return {
    chosen,
    choose: (model) => go({ models: [...without(model.type), model.id] }),
    clear: (type) => go({ models: without(type) }),
    missing,
    shown: place.shown,
    beside: place.beside,
    show: go,
  };
}

/** As the operations take them. */
export function byType(models: readonly EnrichmentModel[]): Record<string, string> {
  return Object.fromEntries(models.map((model) => [model.type, model.id]));
}
