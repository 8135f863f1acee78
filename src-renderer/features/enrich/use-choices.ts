import type { EnrichmentModel } from '../../../src-main/contract/schemas/model.ts';
import { ENRICHMENT_TYPES, type EnrichmentType } from '../../../src-main/contract/schemas/model-definition.ts';
import { navigate } from '../../lib/location.ts';
import { type EnrichPlace, routes, useEnrichPlace } from '../../lib/routes.ts';

/** Models with which a dataset is enriched, by type. */
export type AppliedModels = Partial<Record<EnrichmentType, string>>;

export interface Choices {
  /** Up to one model per type, in the order of types. */
  chosen: readonly EnrichmentModel[];
  choose(model: EnrichmentModel): void;
  clear(type: EnrichmentType): void;
  /** Chosen models whose required types are neither chosen nor applied, with those types. */
  missing: readonly { model: EnrichmentModel; types: readonly EnrichmentType[] }[];
  shown: string | undefined;
  beside: string | undefined;
  show(place: Pick<EnrichPlace, 'shown' | 'beside'>): void;
}

/** The chosen models, stored in the address so that reload and back keep them. Models that cannot be applied are skipped. */
export function useChoices(datasetId: string, models: readonly EnrichmentModel[], applied: AppliedModels): Choices {
  const place = useEnrichPlace();
  const known = models.filter((model) => place.models.includes(model.id) && model.unavailable === null);
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

/** The choice in the form of the operations' input. */
export function byType(models: readonly EnrichmentModel[]): Record<string, string> {
  return Object.fromEntries(models.map((model) => [model.type, model.id]));
}
