import { useQueryClient } from '@tanstack/react-query';
import type { CallableOperationId } from '../../src-main/contract/contract.ts';

/** A function that asks again for what these operations answered, wherever it is shown, and ends when it is there. */
export function useRefresh(...operations: readonly CallableOperationId[]): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all(operations.map((operation) => client.invalidateQueries({ queryKey: [operation] })));
  };
}
