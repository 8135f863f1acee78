import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import { useDatasets } from './datasets.ts';
import { useHashPath } from './location.ts';
import { datasetOfPath } from './routes.ts';

/** The dataset of the current screen. */
export function useDatasetHere(): Dataset | undefined {
  const [path] = useHashPath();
  const { data: datasets } = useDatasets();
  const datasetId = datasetOfPath(path);
  return datasets?.find((dataset) => dataset.id === datasetId);
}
