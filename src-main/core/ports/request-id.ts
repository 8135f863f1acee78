import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/** Runs work on behalf of a request: log entries that it writes carry the request's id. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return current.run(requestId, work);
}

/** Returns the id of the request that the running code works for; undefined outside of requests. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
