import { setTimeout as pause } from 'node:timers/promises';
import { GENERATED_DATASET } from './generated-dataset.ts';
import { startClient } from './http-client.ts';
import { startMeasuredServer } from './measured-server.ts';
import { totalOf } from './process-memory.ts';
import { latencies, round } from './timing.ts';

/** Memory counts as stable if it grows within a second by less than this share of the vectors' size. */
const SETTLED = 0.01;

/** Property values of the items in the dataset; a different value for each number. */
export interface Generated {
  times: number;
  vectorBytes: number;
  anchor: string;
  label: (nth: number) => string;
  folder: string;
  word: (nth: number) => string;
  page50OrLast: number;
}

/**
 * Runs the same queries as inside the store through an HTTP client. Returns milliseconds until the response is read, one query after the
 * other.
 */
export async function measureOverHttp(dataFolder: string, generated: Generated): Promise<object> {
  const { times, vectorBytes, anchor, label, folder, word, page50OrLast } = generated;
  const server = await startMeasuredServer(dataFolder);
  const client = startClient();
  const once = (path: string) => client.ask(`${server.baseUrl}/api/v1/explore/${GENERATED_DATASET}${path}`);
  const timed = (pathOf: (nth: number) => string) => latencies(times, (nth) => once(pathOf(nth)));
  const filtered = (...filters: object[]) => `vql=${encodeURIComponent(JSON.stringify(filters))}`;
  const labelled = (nth: number) => ({ labels: { op: 'one_of', value: [label(nth)] } });
  const wide = { width: { op: 'range', from: 700 } };
  const inFolder = { folders: { op: 'one_of', value: [folder] } };
  const page = '?threshold=2';
  const like = `${page}&anchor_type=MEDIA&anchor_media_id=${anchor}`;
  /** Waits until the memory of the server is stable. */
  const settled = async () => {
    for (let before = 0; ; await pause(1000)) {
      const now = totalOf(await server.memory());
      if (Math.abs(now - before) < SETTLED * vectorBytes) return;
      before = now;
    }
  };
  try {
    const first = {
      cold_open_ms: Math.round(await once(page)),
      first_search_ms: Math.round(await once(like)),
      first_page_just_after: await timed(() => page),
      like_just_after: await timed(() => like),
    };
    await settled();
    return {
      ...first,
      first_page: await timed(() => page),
      page_50_or_last: await timed(() => `${page}&page_number=${page50OrLast}`),
      by_label: await timed((nth) => `${page}&${filtered(labelled(nth))}`),
      three_filters: await timed((nth) => `${page}&${filtered(labelled(nth), wide, inFolder)}`),
      fts_of_1_percent: await timed((nth) => `${page}&${filtered({ text: { op: 'fts', value: word(nth) } })}`),
      like: await timed(() => like),
      like_with_label: await timed((nth) => `${like}&${filtered(labelled(nth))}`),
      like_with_width: await timed(() => `${like}&${filtered(wide)}`),
      first_issues_ms: Math.round(await once('/facets')),
      facets: await timed((nth) => `/facets?${filtered(labelled(nth))}`),
      facets_of_all: await timed(() => '/facets'),
      first_duplicates_ms: Math.round(await once('/duplicates?duplicate_threshold=0.95')),
      duplicates_page_5: await timed(() => '/duplicates?duplicate_threshold=0.95&page_number=5'),
      memory_of_vectors: round(totalOf(await server.memory()) / vectorBytes),
    };
  } finally {
    client.close();
    await server.stop();
  }
}
