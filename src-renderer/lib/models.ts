import type { UseQueryResult } from '@tanstack/react-query';
import type { Result } from '../../src-main/contract/contract.ts';
import type { ApiError } from './api-error.ts';
import { useOperation } from './use-operation.ts';

const DOWNLOADING_POLL_MS = 700;
const IDLE_POLL_MS = 8000;

/** All installed and available models, polled several times per second during a download. */
export function usePackages(): UseQueryResult<Result<'list_packages'>, ApiError> {
  return useOperation(
    'list_packages',
    {},
    {
      refetchInterval: ({ state }) =>
        state.data?.packages.some((one) => one.state === 'downloading') ? DOWNLOADING_POLL_MS : IDLE_POLL_MS,
    },
  );
}
