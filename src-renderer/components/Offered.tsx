import type { ReactNode } from 'react';
import type { CallableOperationId } from '../../src-main/contract/contract.ts';
import { useMayOn } from '../lib/datasets.ts';

interface OfferedProps {
  /** What is called in the end. */
  operation: CallableOperationId;
  datasetId: string;
  children: ReactNode;
}

/** A way to change or take something of a dataset, for those who may. */
export function Offered({ operation, datasetId, children }: OfferedProps) {
  return useMayOn(datasetId)(operation) ? children : null;
}
