import { type QueryKey, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { CallableOperationId, Result } from '../../src-main/contract/contract.ts';
import type { ApiInput } from './api.ts';
import type { ApiError } from './api-error.ts';
import { operationQuery } from './use-operation.ts';

interface Page<T> {
  items: readonly T[];
  total: number;
  /** Total number of members, if the items are groups. */
  within?: number;
  /** Number of items at the end of the list that have one member. */
  singles?: number;
  /** Number of clusters that people hid. */
  hidden?: number;
  /** Name of the whole list, such as that of a cluster. */
  name?: string | null;
  /** The name that the list has if no user gives it another. */
  automatic_name?: string | null;
  /** The list is a cluster that was merged from several. */
  is_merged?: boolean;
}

export interface PagedSource<T> {
  /** Key and function of one page's query. */
  page(pageNumber: number): { queryKey: QueryKey; queryFn(context: { signal: AbortSignal }): Promise<Page<T>> };
  pageSize: number;
  /** Identifies the list. A change restarts it. */
  key: string;
  enabled?: boolean;
}

/** Time in ms for which hidden pages are cached for the way back. The limit bounds memory during long scrolling. */
const CACHE_MS = 20_000;

export interface Paged<T> {
  /** Number of items, known after the first page. */
  total: number | undefined;
  /** Total number of members, if the items are groups. */
  within: number | undefined;
  /** Number of items at the end that have one member. */
  singles: number | undefined;
  /** Number of clusters that people hid. */
  hidden: number | undefined;
  /** Name of the whole list, such as that of a cluster. */
  name: string | undefined;
  automaticName: string | undefined;
  isMerged: boolean | undefined;
  /** The item at an index. undefined while its page is loading. */
  at(index: number): T | undefined;
  /** Loads a range of items, and returns a function that finds them by index. */
  load(first: number, last: number): Promise<(index: number) => T | undefined>;
  /** Sets the range of visible items, whose pages are fetched. */
  show(first: number, last: number): void;
  error: ApiError | null;
  retry(): void;
  /** The previous list is shown until the new one is loaded. */
  stale: boolean;
}

/** The query of one page: an operation's answer, cached as a page. */
export function pageQuery<Id extends CallableOperationId, T>(
  operation: Id,
  input: ApiInput<Id>,
  pageOf: (answer: Result<Id>) => Page<T>,
): ReturnType<PagedSource<T>['page']> {
  const { queryKey, queryFn } = operationQuery(operation, input);
  return { queryKey: [...queryKey, 'page'], queryFn: async (context) => pageOf(await queryFn(context)) };
}

/**
 * A list of any length that fetches only the visible pages, plus the first, which has the total: scrolling to the end of
 * 100,000 items costs one request.
 */
export function usePaged<T>(source: PagedSource<T>): Paged<T> {
  const client = useQueryClient();
  const [requested, setRequested] = useState({ key: source.key, first: 0, last: 0 });
  const range = requested.key === source.key ? requested : { first: 0, last: 0 };
  const numbers = [...new Set([0, ...between(range.first, range.last)])];
  const results = useQueries({
    queries: numbers.map((pageNumber) => ({
      ...source.page(pageNumber),
      enabled: source.enabled ?? true,
      staleTime: 60_000,
      gcTime: CACHE_MS,
    })),
  });

  const pages = new Map(numbers.map((pageNumber, position) => [pageNumber, results[position]?.data]));
  const previous = useRef<{ first: Page<T>; pages: Map<number, Page<T> | undefined> } | undefined>(undefined);
  const first = pages.get(0);
  if (first !== undefined) previous.current = { first, pages };
  const failed = results.find((result) => result.error !== null);
  const shown = first === undefined && failed === undefined ? previous.current : undefined;
  const from = shown?.pages ?? pages;

  const { key, pageSize } = source;
  const show = useCallback(
    (firstIndex: number, lastIndex: number) => {
      const next = { key, first: Math.floor(firstIndex / pageSize), last: Math.floor(lastIndex / pageSize) };
      setRequested((old) => (old.key === key && old.first === next.first && old.last === next.last ? old : next));
    },
    [key, pageSize],
  );
  return {
    total: (first ?? shown?.first)?.total,
    within: (first ?? shown?.first)?.within,
    singles: (first ?? shown?.first)?.singles,
    hidden: (first ?? shown?.first)?.hidden,
    name: (first ?? shown?.first)?.name ?? undefined,
    automaticName: (first ?? shown?.first)?.automatic_name ?? undefined,
    isMerged: (first ?? shown?.first)?.is_merged,
    at: (index) => from.get(Math.floor(index / pageSize))?.items[index % pageSize],
    load: async (firstIndex, lastIndex) => {
      const requestedPages = between(Math.floor(firstIndex / pageSize), Math.floor(lastIndex / pageSize));
      const loaded = new Map<number, readonly T[]>();
      for (const pageNumber of requestedPages) {
        const { items } = await client.fetchQuery({ ...source.page(pageNumber), staleTime: 60_000, gcTime: CACHE_MS });
        loaded.set(pageNumber, items);
      }
      return (index) => loaded.get(Math.floor(index / pageSize))?.[index % pageSize];
    },
    show,
    error: (failed?.error as ApiError | undefined) ?? null,
    retry: () => {
      for (const pageNumber of numbers) void client.refetchQueries({ queryKey: source.page(pageNumber).queryKey });
    },
    stale: shown !== undefined,
  };
}

function between(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, position) => first + position);
}
