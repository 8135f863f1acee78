/** One VQL filter of an address, besides text and labels. */
export type PlaceFilter = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The filters of an address. Empty if the parameter is not a list of filters. */
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

/** Name of a filter's subject. */
export function filterName(filter: PlaceFilter): string {
  return Object.keys(filter).find((name) => name !== 'id') ?? '';
}

/** Whether a filter ranks the results. */
export function isComparing(filter: PlaceFilter): boolean {
  return ['text', 'similarity'].includes(filterName(filter));
}

/** The filter of objects by the confidence of the model that found them. */
export function objectConfidence(least: number): PlaceFilter {
  return { object_confidence: { op: 'at_least', value: least } };
}

export function hasFilter(filters: readonly PlaceFilter[], filter: PlaceFilter): boolean {
  const text = JSON.stringify(filter);
  return filters.some((one) => JSON.stringify(one) === text);
}

/** The filters without the given one, or with it if it is missing. */
export function toggleFilter(filters: readonly PlaceFilter[], filter: PlaceFilter): PlaceFilter[] {
  const text = JSON.stringify(filter);
  if (!hasFilter(filters, filter)) return [...filters, filter];
  return filters.filter((one) => JSON.stringify(one) !== text);
}

function isFilter(value: unknown): value is PlaceFilter {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).length > 0 &&
    Object.values(value).every((body) => typeof body === 'object' && body !== null)
  );
}
