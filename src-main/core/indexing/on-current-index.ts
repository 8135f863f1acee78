/** A job that reads a version of an index. */
interface IndexJob {
  index_version: number;
}

/**
 * Runs a job on the index. A version of the index is deleted once two newer ones are published; a job that fails for this reason is
 * restarted with the current version.
 * @param prepare Prepares the job for the current version; undefined when nothing is left to do.
 * @returns The job that finished; undefined when nothing was left to do.
 */
export async function onCurrentIndex<Job extends IndexJob>(
  first: Job,
  prepare: () => Promise<Job | undefined>,
  run: (job: Job) => Promise<void>,
): Promise<Job | undefined> {
  for (let job = first; ; ) {
    try {
      await run(job);
      return job;
    } catch (error) {
      const next = await prepare();
      if (next?.index_version === job.index_version) throw error;
      if (next === undefined) return undefined;
      job = next;
    }
  }
}
