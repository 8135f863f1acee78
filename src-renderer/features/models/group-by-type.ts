import type { ModelPackage } from '../../../src-main/contract/schemas/model.ts';
import { ENRICHMENT_TYPES, type EnrichmentType } from '../../../src-main/contract/schemas/model-definition.ts';

export type PackagedModel = ModelPackage['models'][number];

export interface ModelGroup {
  type: EnrichmentType;
  entries: { files: ModelPackage; model: PackagedModel }[];
}

/**
 * Groups models by type, in the given order of types. A package with several models is in several groups.
 * @param type Restricts to this type. @param find Part of a model's, package's or vendor's name.
 */
export function groupByType(
  packages: readonly ModelPackage[],
  type: EnrichmentType | undefined,
  find: string,
): ModelGroup[] {
  const searched = find.trim().toLocaleLowerCase();
  const entries = packages
    .flatMap((files) => files.models.map((model) => ({ files, model })))
    .filter(({ files, model }) =>
      [model.name, files.name, files.vendor].some((name) => name.toLocaleLowerCase().includes(searched)),
    );
  return ENRICHMENT_TYPES.filter((one) => type === undefined || one === type)
    .map((one) => ({ type: one, entries: entries.filter(({ model }) => model.type === one) }))
    .filter((group) => group.entries.length > 0);
}
