import { useRef, useState } from 'react';
import { type ApiError, asApiError } from './api-error.ts';

export interface StoppableWork {
  busy: boolean;
  error: ApiError | null;
  /** Runs the work. Failures set `error`, except after `stop`. */
  run(work: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
  clearError(): void;
  stop(): void;
}

/** Work of several calls that the user waits for and may stop. @param onEnd Called after each run, whatever the result. */
export function useStoppableWork(onEnd: () => void): StoppableWork {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const abort = useRef<AbortController | null>(null);
  return {
    busy,
    error,
    run: async (work) => {
      const controller = new AbortController();
      abort.current = controller;
      setBusy(true);
      setError(null);
      try {
        await work(controller.signal);
      } catch (failure) {
        if (!controller.signal.aborted) setError(asApiError(failure));
      } finally {
        setBusy(false);
        onEnd();
      }
    },
    clearError: () => setError(null),
    stop: () => abort.current?.abort(),
  };
}
