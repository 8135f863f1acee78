import { createHash } from 'node:crypto';
import { message } from '../../contract/messages.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { Inference, ModelRef } from '../ports/inference.ts';
import type { ModelLibrary } from '../ports/model.ts';
import type { TaskRun } from '../tasks/define-task.ts';
import type { EnrichmentRepository } from './enrichment.repository.ts';

/** Number of items per page: 1 MB of vectors. */
const ITEMS = 512;

/**
 * Tags the items of a dataset by the word list of the tagger that belongs to an encoder: [Note: Word tags]. Images are not read again. Each
 * page is saved together with the progress, so an interrupted run continues with the next page.
 * @param share The step's share of the task.
 * @returns The number of items tagged; 0 if the encoder has no tagger, the dataset has another one, or nothing is left.
 */
export async function tagByWords(
  parts: { enrichments: EnrichmentRepository; library: ModelLibrary; inference: Pick<Inference, 'tagVectors'> },
  task: Pick<TaskRun<unknown, unknown>, 'dataset_id' | 'beginStep' | 'reportSaved' | 'signal'>,
  store: DatasetStore,
  encoderId: string | undefined,
  share: { from: number; to: number },
): Promise<number> {
  const { enrichments, library, inference } = parts;
  const found = encoderId === undefined ? undefined : library.findTagger(encoderId);
  if (!found || enrichments.modelsOf(task.dataset_id).IMAGE_TAGGING !== undefined) return 0;
  const { ref: tagger } = await library.get(found.definition.id);
  const begun = await store.enrichment.beginWordTags({ model_id: tagger.model_id, version: versionOf(tagger) });
  if (!begun || begun.n_done === begun.n_rows) return 0;
  task.beginStep(message('step_tagging_images'), share, begun.n_rows);
  let nTagged = 0;
  for (;;) {
    const page = await store.enrichment.listUntagged(ITEMS);
    if (page.media_ids.length === 0) break;
    const labels = await inference.tagVectors(page.vectors, tagger, task.signal);
    const tags = page.media_ids.map((mediaId, at) => ({ media_id: mediaId, labels: labels[at] ?? [] }));
    await store.enrichment.saveWordTags(tagger.model_id, tags, page.next_row);
    nTagged += tags.length;
    task.reportSaved(page.next_row);
  }
  await store.enrichment.endWordTags();
  return nTagged;
}

/** Changes with the tagger's files, its run parameters and its word list. */
function versionOf({ version, labels }: ModelRef): string {
  return createHash('sha256')
    .update(JSON.stringify([version, labels ?? null]))
    .digest('hex');
}
