import type { BuiltSpace, PreparedIndex } from '../../src-main/core/ports/index-jobs.ts';
import { runIndexJob } from '../../src-main/infra/vectors/index-job.ts';

/** Builds an index from scratch in this process. The writer publishes it. */
export async function buildIndex(
  { space, entity_type, version, count, input }: PreparedIndex,
  options: { linkageThresholds: number[]; threads: number },
): Promise<BuiltSpace> {
  const { linkageThresholds, threads } = options;
  const request = { mode: 'full' as const, version, count, linkage_thresholds: linkageThresholds, input };
  return { space, entity_type, version, count, built: await runIndexJob(request, { threads }) };
}
