import type { ApiError } from '../lib/api-error.ts';
import { QueryError } from './QueryError.tsx';
import { Skeleton } from './Skeleton.tsx';

/** The content of a page whose data has not arrived: a placeholder, or the error with a button to try again. */
export function PendingContent({ error, onRetry }: { error: ApiError | null; onRetry: () => void }) {
  return error === null ? (
    <Skeleton style={{ height: 240, margin: 24 }} />
  ) : (
    <QueryError error={error} onRetry={onRetry} />
  );
}
