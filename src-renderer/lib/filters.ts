/** One filter of VQL that an address holds beside words and labels, as the core reads it. */
export type PlaceFilter = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The filters that an address holds; none where they are not a list of filters. */
export function readFilters(vql: string | null): PlaceFilter[] {
  if (vql === null) return [];
  try {
    const read: unknown = JSON.parse(vql);
    return Array.isArray(read) ? read.filter(isFilter) : [];
  } catch {
    return [];
  }
}

export function printFilters(filters: readonly PlaceFilter[]): string | undefined {
  return filters.length === 0 ? undefined : JSON.stringify(filters);
}

/** The name of what a filter is about. */
export function filterName(filter: PlaceFilter): string {
  return Object.keys(filter).find((name) => name !== 'id') ?? '';
}

/** Whether a filter ranks what is found. */
export function isComparing(filter: PlaceFilter): boolean {
  return ['text', 'similarity'].includes(filterName(filter));
}

export function hasFilter(filters: readonly PlaceFilter[], filter: PlaceFilter): boolean {
  const wanted = JSON.stringify(filter);
  return filters.some((one) => JSON.stringify(one) === wanted);
}

/** The filters without one, or with it where they have it not. */
export function toggleFilter(filters: readonly PlaceFilter[], filter: PlaceFilter): PlaceFilter[] {
  const wanted = JSON.stringify(filter);
  if (!hasFilter(filters, filter)) return [...filters, filter];
  return filters.filter((one) => JSON.stringify(one) !== wanted);
}

function isFilter(value: unknown): value is PlaceFilter {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).length > 0 &&
    Object.values(value).every((body) => typeof body === 'object' && body !== null)
  );
}
