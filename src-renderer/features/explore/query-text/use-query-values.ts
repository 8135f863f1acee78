import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExploredType } from '../../../../src-main/contract/schemas/explore.ts';
import { UNLABELED, useLabels } from '../../../lib/labels.ts';
import { useTags } from '../../../lib/tags.ts';
import { useOperation } from '../../../lib/use-operation.ts';
import type { Choice, QueryValues } from './query-choices.ts';

/** Values of a dataset to filter by, with their counts. */
export function useQueryValues(datasetId: string, type: ExploredType, enabled: boolean): QueryValues {
  const { t } = useTranslation();
  const { data: facets } = useOperation(
    'get_facets',
    { dataset_id: datasetId, entity_type: type },
    { enabled, staleTime: 60_000 },
  );
  const labels = useLabels(datasetId, type, enabled);
  const tags = useTags(datasetId);
  return useMemo(() => {
    const counted = ({ name, count }: { name: string; count: number }): Choice => ({ value: name, count });
    const tagCounts = new Map(facets?.tags.map(({ tag_id, count }) => [tag_id, count]));
    return {
      'labels.value': [
        ...(labels ?? []).map(counted),
        { value: UNLABELED, name: t('labels.unlabeled'), count: facets?.n_unlabeled },
      ],
      'tags.value': [
        ...(tags ?? []).map(({ id, name }) => ({ value: id, name, count: tagCounts.get(id) ?? 0 })),
        { value: 'untagged', name: t('facets.untagged'), count: facets?.n_untagged },
      ],
      'folders.value': (facets?.folders ?? []).filter(({ name }) => name !== '').map(counted),
      'issues.value': (facets?.issues ?? []).map(counted),
      'media_type.value': (facets?.media_types ?? []).map(counted),
      'metadata.field': (facets?.metadata ?? []).map(({ field_name, n_values }) => ({
        value: field_name,
        count: n_values ?? undefined,
      })),
      // Several fields may have the same value.
      'metadata.value': [
        ...new Set((facets?.metadata ?? []).flatMap(({ values }) => values.map(({ name }) => name))),
      ].map((value) => ({ value })),
    };
  }, [facets, labels, tags, t]);
}
