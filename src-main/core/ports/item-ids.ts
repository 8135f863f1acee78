/** Length of a prefix: the first two groups of a UUID, 48 bits. The rest of an item's id has 74 random bits. */
export const ID_PREFIX_LENGTH = 13;

/**
 * [Note: Ids of items]
 * The ids of items and objects start like the id of the dataset that created them; the rest is random. The catalog lists the prefixes that
 * occur in each dataset, so the datasets that may contain an id are found by one indexed look-up and no other dataset is opened. Copies keep
 * the ids of their items, so a copy has the prefixes of its source besides its own.
 */
export function idPrefix(id: string): string {
  return id.slice(0, ID_PREFIX_LENGTH);
}
