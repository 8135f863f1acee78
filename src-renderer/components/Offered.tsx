import type { ReactNode } from 'react';
import type { CallableOperationId } from '../../src-main/contract/contract.ts';
import { useMayOn } from '../lib/datasets.ts';

interface OfferedProps {
  /** The operation that the children call. */
  operation: CallableOperationId;
  datasetId: string;
  children: ReactNode;
}

/** Renders its children only if the user may call the operation on the dataset. */
export function Offered({ operation, datasetId, children }: OfferedProps) {
  return useMayOn(datasetId)(operation) ? children : null;
}
