import type { SourceRow } from '../ports/dataset-sources.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';

/**
 * Copies the present locations of sources to a restored state, because snapshots do not contain locations. Sources that were moved after
 * the snapshot keep their new location. Watched folders remain sources, and their files are imported again.
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
