/** Minimum share of a cluster's items that must have the label or word it is named by. */
const LEAST_SHARE = 0.5;
/** Minimum mean confidence of a guessed label of a tagger that names a cluster. */
const LEAST_MEAN = 0.05;
/** Maximum number of words in a name taken from captions. */
const MAX_WORDS = 2;
/** Stop words, and words with which captions usually start. */
const EMPTY_WORDS = new Set(
  (
    'the and for with from into onto over under above below near next beside between behind front top out off this that these those there ' +
    'here its his her their our your has have had are was were being been while who which what some several many few two three four other ' +
    'another each all very image photo picture view shows showing looking sitting standing'
  ).split(' '),
);

export interface NamedCluster {
  size: number;
  /** Labels of the cluster's items, with the number of items that have each. */
  labels: readonly { name: string; count: number }[];
  /** Returns the number of all items that have a label. */
  totalOf(label: string): number;
  nItems: number;
  /** Captions of the cluster's representative items. */
  captions: readonly string[];
  /** Reads the labels that taggers gave to the cluster's representative items, also unlikely ones. */
  guesses(): readonly { label: string; confidence: number }[];
  /** Number of representative items. */
  nSampled: number;
}

/**
 * Returns a suggested name for a cluster: the label that most of its items and few others have, by its share times its inverse frequency
 * (Spärck Jones, "A statistical interpretation of term specificity", Journal of Documentation 28, 1972); otherwise the words that most
 * captions of the representative items have in common, or the word that taggers find most likely for them. Returns null if there are none.
 */
export function suggestName(cluster: NamedCluster): string | null {
  return byLabels(cluster) ?? byCaptions(cluster.captions) ?? byGuesses(cluster);
}

function byLabels({ size, labels, totalOf, nItems }: NamedCluster): string | undefined {
  const scored = labels
    .filter(({ name, count }) => name !== '' && count >= LEAST_SHARE * size)
    .map(({ name, count }) => ({ name, score: (count / size) * specificity(nItems, totalOf(name)) }));
  return scored.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))[0]?.name;
}

function byCaptions(captions: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const caption of captions)
    for (const word of new Set(wordsOf(caption))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const least = Math.max(2, LEAST_SHARE * captions.length);
  // In order of first appearance, which the stable sort preserves for equal counts.
  const common = [...counts].filter(([, count]) => count >= least).sort((a, b) => b[1] - a[1]);
  return common.length === 0
    ? null
    : common
        .slice(0, MAX_WORDS)
        .map(([word]) => word)
        .join(' ');
}

function byGuesses({ guesses, nSampled, totalOf, nItems }: NamedCluster): string | null {
  const sums = new Map<string, number>();
  for (const { label, confidence } of guesses()) sums.set(label, (sums.get(label) ?? 0) + confidence);
  const likely = [...sums].filter(([, sum]) => sum >= LEAST_MEAN * nSampled);
  const scored = likely.map(([name, sum]) => ({ name, score: sum * specificity(nItems, totalOf(name)) }));
  return scored.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))[0]?.name ?? null;
}

function specificity(nItems: number, total: number): number {
  return Math.log(1 + nItems / Math.max(1, total));
}

function wordsOf(caption: string): string[] {
  const words = caption.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return words.filter((word) => !EMPTY_WORDS.has(word));
}
