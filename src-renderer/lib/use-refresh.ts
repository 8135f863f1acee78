import { useQueryClient } from '@tanstack/react-query';
import type { CallableOperationId } from '../../src-main/contract/contract.ts';

/** Returns a function that fetches the answers of these operations again, wherever they are shown, and resolves when they are loaded. */
export function useRefresh(...operations: readonly CallableOperationId[]): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all(operations.map((operation) => client.invalidateQueries({ queryKey: [operation] })));
  };
}
