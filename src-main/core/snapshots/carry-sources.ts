import type { SourceRow } from '../ports/dataset-sources.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';

/**
 * Where files lie now is no part of what a snapshot keeps: sources that were moved since stay where they are, and a folder that is watched
 * stays a source, of which nothing is known yet.
 */
export async function carrySources(
  store: DatasetStore,
  now: { sources: readonly SourceRow[]; watched: readonly SourceRow[] },
): Promise<void> {
  const known = new Set((await store.intake.listSources()).map(({ source_id }) => source_id));
  const moved = now.sources.filter(({ kind, source_id }) => kind === 'folder' && known.has(source_id));
  for (const { source_id, kind, root } of [...moved, ...now.watched]) {
    await store.intake.addSource({ source_id, kind, root });
  }
}
