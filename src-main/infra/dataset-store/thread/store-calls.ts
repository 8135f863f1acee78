import type { DatasetStore } from '../../../core/ports/dataset-store.ts';
import type { Side } from '../../../core/ports/store-methods.ts';
import { STORE_METHODS } from './store-methods.ts';

/** Sends a call to a thread. @param key `subject.method`. */
export type SendCall = (side: Side, key: string, args: unknown[]) => Promise<unknown>;

/** Returns a store whose methods are calls to its threads. */
export function storeCalls(send: SendCall): DatasetStore {
  const subjects: Record<string, Record<string, unknown>> = {};
  for (const { subject, name, key, side } of STORE_METHODS) {
    const calls = subjects[subject] ?? {};
    calls[name] = (...args: unknown[]) => send(side, key, args);
    subjects[subject] = calls;
  }
  // The tables of the ports have exactly the method names of the ports.
  return subjects as unknown as DatasetStore;
}
