import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import { isChanging, useDatasets } from './datasets.ts';

/** The copies of a dataset that are being enriched. */
export function useCopiesInWork(datasetId: string): readonly Dataset[] {
  const { data: datasets = [] } = useDatasets();
  return datasets.filter((dataset) => dataset.source_dataset_id === datasetId && isChanging(dataset));
}
