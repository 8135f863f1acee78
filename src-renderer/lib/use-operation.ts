import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { CallableOperationId, Result } from '../../src-main/contract/contract.ts';
import { type ApiInput, api } from './api.ts';
import type { ApiError } from './api-error.ts';

export type OperationKey<Id extends CallableOperationId> = readonly [Id, ApiInput<Id>];

export type OperationOptions<Id extends CallableOperationId> = Omit<
  UseQueryOptions<Result<Id>, ApiError, Result<Id>, OperationKey<Id>>,
  'queryKey' | 'queryFn'
>;

/** Key and function of an operation's query, for hooks that take several. */
export function operationQuery<Id extends CallableOperationId>(operation: Id, input: ApiInput<Id>) {
  const queryKey: OperationKey<Id> = [operation, input];
  return { queryKey, queryFn: ({ signal }: { signal: AbortSignal }) => api[operation](input, { signal }) };
}

/** The answer of a read operation, cached under `[operation, input]`. */
export function useOperation<Id extends CallableOperationId>(
  operation: Id,
  input: ApiInput<Id>,
  options?: OperationOptions<Id>,
): UseQueryResult<Result<Id>, ApiError> {
  return useQuery<Result<Id>, ApiError, Result<Id>, OperationKey<Id>>({
    ...operationQuery(operation, input),
    ...options,
  });
}
