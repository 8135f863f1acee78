import type { ReactNode } from 'react';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import { stateOf } from '../lib/datasets.ts';
import { routes } from '../lib/routes.ts';
import { Bar } from './Bar.tsx';
import { StatusBadge } from './StatusBadge.tsx';

interface DatasetBarProps {
  datasetId: string;
  /** Undefined while loading. */
  dataset: Dataset | undefined;
  /** Name of the page, or what it lists. */
  place: string | undefined;
  facts?: ReactNode;
  children?: ReactNode;
}

/** The bar of a dataset's subpage. Back leads to Explore. */
export function DatasetBar({ datasetId, dataset, place, facts, children }: DatasetBarProps) {
  return (
    <Bar
      title={dataset?.display_name ?? place ?? ''}
      back={routes.explore(datasetId)}
      pinned={
        dataset !== undefined && (
          <>
            {place !== undefined && <span>{place}</span>}
            {stateOf(dataset) !== 'ready' && <StatusBadge state={stateOf(dataset)} />}
          </>
        )
      }
      facts={facts}
    >
      {children}
    </Bar>
  );
}
