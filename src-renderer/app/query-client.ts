import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../lib/api-error.ts';

const RETRIES = 2;

/** Retries only transient failures. Other failures are shown at once. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2000,
        networkMode: 'always',
        retry: (failures, error) => failures < RETRIES && error instanceof ApiError && error.transient,
        retryDelay: (attempt) => 400 * 2 ** attempt,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
