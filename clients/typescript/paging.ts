import type { Api, CallOptions } from './api.ts';
import type { Input, OperationId, Result } from './api-types.ts';

/** Operations that answer in pages: the field with the entries, the parameter of the page, its first value, and the page size. */
const PAGED = {
  list_items: { entries: 'items', page: 'page_number', first: 0, size: 500 },
  list_arrivals: { entries: 'items', page: 'page_number', first: 0, size: 500 },
  get_cluster: { entries: 'items', page: 'page_number', first: 0, size: 500 },
  explore: { entries: 'clusters', page: 'page_number', first: 0, size: 100 },
  list_duplicates: { entries: 'groups', page: 'page_number', first: 0, size: 100 },
  list_file_errors: { entries: 'file_errors', page: 'page_number', first: 0, size: 500 },
  list_annotation_problems: { entries: 'annotation_problems', page: 'page_number', first: 0, size: 500 },
  list_snapshot_changes: { entries: 'changes', page: 'page_number', first: 0, size: 500 },
  list_tasks: { entries: 'tasks', page: 'page', first: 1, size: 50 },
} as const satisfies Partial<
  Record<OperationId, { entries: string; page: 'page' | 'page_number'; first: 0 | 1; size: number }>
>;

export type PagedId = keyof typeof PAGED;
type EntriesOf<Id extends PagedId> = Result<Id>[(typeof PAGED)[Id]['entries'] & keyof Result<Id>];
export type Entry<Id extends PagedId> = EntriesOf<Id> extends readonly (infer E)[] ? E : never;

/** Yields every entry of an operation that answers in pages; reads the next page when it is needed. */
export async function* eachEntry<Id extends PagedId>(
  api: Api,
  id: Id,
  input: Omit<Input<Id>, 'page' | 'page_number' | 'page_size'>,
  signal?: AbortSignal,
): AsyncGenerator<Entry<Id>> {
  const { entries, page, first, size } = PAGED[id];
  // The table above says which parameters and answers these operations share.
  const call = api[id] as unknown as (input: object, options: CallOptions) => Promise<Record<string, unknown>>;
  for (let at: number = first; ; at += 1) {
    const pageSize = id === 'explore' ? {} : { page_size: size };
    const answer = await call({ ...input, ...pageSize, [page]: at }, signal === undefined ? {} : { signal });
    const found = answer[entries] as Entry<Id>[];
    yield* found;
    if (found.length < size) return;
  }
}
