import type { EntityType } from '../../src-main/contract/schemas/explore.ts';
import type { IndexEntry, IndexFiles } from '../../src-main/core/ports/index-files.ts';
import { runIndexJob } from '../../src-main/infra/vectors/index-job.ts';

/** Builds an index of looks from nothing, in this process; it is for the writer to publish. */
export async function buildIndex(
  files: IndexFiles,
  options: { entityType: EntityType; linkageThresholds: number[]; threads: number },
): Promise<IndexEntry> {
  const { entityType, linkageThresholds, threads } = options;
  const built = await runIndexJob(
    {
      mode: 'full',
      vectors_folder: files.vectors_folder,
      dim: files.dim,
      count: files.count,
      graph_out: files.graph_file,
      clusters_out: files.clusters_file,
      uniqueness_out: files.uniqueness_file,
      lists_out: files.lists_file,
      linkage_thresholds: linkageThresholds,
      threads,
    },
    {},
  );
  return { space: 'looks', entity_type: entityType, files, linkage_thresholds: built.linkage_thresholds };
}
