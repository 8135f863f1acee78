import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { type Message, message, wholeNumber } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { ResultManifest } from '../../contract/schemas/results.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import { coverImages } from '../indexing/covers.ts';
import type { FollowUpService } from '../indexing/follow-up.service.ts';
import { updateIndex } from '../indexing/update-index.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { Inference } from '../ports/inference.ts';
import type { LocalJobs } from '../ports/local-jobs.ts';
import type { ResultFolder, ResultImport, ResultSources, RowProblemCount } from '../ports/results.ts';
import type { EmbeddingSpace } from '../ports/vector-space.ts';
import { counted, sentences } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition, type TaskRun } from '../tasks/define-task.ts';
import { assertResultsFit, type FitParts } from './results-fit.ts';
import { calibrateTexts } from './text-calibration.ts';

const input = z.object({
  location: z.string(),
  assume_role: z.string().nullable(),
  /** Status that the dataset returns to. */
  status_before: z.enum(['READY', 'PARTIAL INDEX']),
});
export type ImportResultsInput = z.infer<typeof input>;

/** The import as it was begun, to undo it. `is_saved`: labels or captions are in the dataset and stay there. */
export interface ImportResultsCheckpoint {
  of: ResultImport;
  is_saved: boolean;
}

type Run = TaskRun<ImportResultsInput, ImportResultsCheckpoint>;

interface Parts extends FitParts {
  datasets: DatasetCatalog;
  followUps: Pick<FollowUpService, 'queue'>;
  inference: Inference;
  localJobs: LocalJobs;
  sources: ResultSources;
}

/** What a kind of results adds: the outcome in words, and the spaces to index. */
interface Saved {
  what: Message;
  notes?: (Message | false)[];
  indexes: (space: EmbeddingSpace, entityType: EntityType) => boolean;
}

const NO_INDEX = () => false;

/**
 * Imports results that were computed elsewhere. All parts are checked and staged first; a single bad row refuses all. Embeddings become the
 * dataset's `meaning` space, or extend the one of the same model. An interrupted run continues with the first part that is not staged.
 */
export function defineImportResultsTask(parts: Parts): TaskDefinition<ImportResultsInput, ImportResultsCheckpoint> {
  const { datasets, enrichments, library, models, localJobs } = parts;
  const backTo = { READY: 'back_to_ready', 'PARTIAL INDEX': 'back_to_partial' } as const;

  const describe = async (task: Run, store: DatasetStore, folder: ResultFolder): Promise<ResultImport> => {
    const { kind, model, dim = 0, categories = {} } = folder.manifest;
    const known = await library.find(model.id);
    const { n_objects } = await store.items.counts();
    return {
      import_id: task.task_id,
      manifest_sha256: folder.manifest_sha256,
      kind,
      model_id: model.id,
      dim,
      with_objects: n_objects > 0 && known?.installed === true && known.definition.runner.kind === 'image_encoder',
      categories,
    };
  };

  const stage = async (task: Run, store: DatasetStore, { manifest, withFile }: ResultFolder, nStaged: number) => {
    const total = manifest.parts.reduce((sum, { rows }) => sum + rows, 0);
    task.beginStep(message('step_checking_results'), { from: 0, to: 0.5 }, total);
    const read = async (nBefore: number, rows: number) => {
      for (let finished = false; !finished; ) {
        task.signal.throwIfAborted();
        const step = await store.results.readPart();
        task.reportDone(nBefore + step.n_read);
        finished = step.finished;
      }
      task.reportSaved(nBefore + rows);
    };
    let nBefore = manifest.parts.slice(0, nStaged).reduce((sum, { rows }) => sum + rows, 0);
    let reading = Promise.resolve();
    try {
      for (const part of manifest.parts.slice(nStaged)) {
        const [before, nBeforePart] = [reading, nBefore];
        const opened = Promise.withResolvers<void>();
        // The next part is fetched and opened while this one is read.
        reading = withFile(part.file, async (path) => {
          await store.results.openPart({ ...part, path });
          opened.resolve();
          await before;
          await read(nBeforePart, part.rows);
        }).finally(() => before.catch(() => undefined));
        await Promise.race([opened.promise, reading]);
        await before;
        nBefore += part.rows;
      }
    } finally {
      await reading;
    }
    const problems = await store.results.listProblems();
    const all = [...problems.parts, ...problems.rows.map((one) => presentProblem(one, manifest))];
    if (all.length > 0) throw new AppError('invalid_request', message('results_refused', { problems: all }));
    return problems.n_rows;
  };

  const saveEmbeddings = async (task: Run, store: DatasetStore, of: ResultImport, nRows: number): Promise<Saved> => {
    const isNew = (await store.vectors.findSpace('meaning', 'IMAGES')) === undefined;
    task.beginStep(message('step_saving_results'), { from: 0.5, to: 0.6 }, nRows);
    for (let finished = false; !finished; ) {
      task.signal.throwIfAborted();
      const saved = await store.results.saveNext();
      task.reportSaved(saved.n_done);
      finished = saved.finished;
    }
    if (isNew && of.with_objects) {
      await models.addMeaning(
        { task, store, share: { from: 0.6, to: 0.8 } },
        (await library.get(of.model_id)).ref,
        'OBJECTS',
      );
    }
    const { n_images, n_frames } = await store.items.counts();
    const { n_vectors, n_kept } = await store.results.countVectors();
    const nWithout = Math.max(0, n_images + n_frames - n_vectors);
    return {
      what: counted('n_vectors', nRows - n_kept),
      notes: [
        n_kept > 0 && counted('results_kept', n_kept),
        nWithout > 0 && counted('results_items_without', nWithout),
      ],
      indexes: (space, entityType) => space === 'meaning' && (entityType === 'IMAGES' || (isNew && of.with_objects)),
    };
  };

  const saveAnnotations = async (task: Run, store: DatasetStore, of: ResultImport, nRows: number): Promise<Saved> => {
    task.beginStep(message('step_saving_results'), { from: 0.5, to: 0.6 }, null);
    if (task.checkpoint.is_saved !== true) {
      await store.results.saveAnnotations();
      task.saveCheckpoint({ of, is_saved: true });
    }
    const share = { from: 0.6, to: 0.8 };
    if (of.kind === 'boxes') {
      await models.describeBoxes(task, store, of.import_id, share);
      return { what: counted('n_boxes', nRows), indexes: (_space, entityType) => entityType === 'OBJECTS' };
    }
    if (of.kind === 'captions') {
      await models.encodeNewCaptions(task, store, task.dataset_id, share);
      return { what: counted('n_captions', nRows), indexes: NO_INDEX };
    }
    return { what: counted('n_labels', nRows), indexes: NO_INDEX };
  };

  const index = async (task: Run, store: DatasetStore, of: ResultImport, isIncluded: Saved['indexes']) => {
    task.beginStep(message('step_grouping_similar_images'), { from: 0.8, to: 0.99 }, 100, 'percent');
    await updateIndex('full', {
      ...{ store, localJobs, models, isIncluded, signal: task.signal },
      ...(of.kind === 'embeddings' && { added: { encoder_id: of.model_id, dim: of.dim } }),
      onProgress: (fraction) => task.reportDone(Math.round(fraction * 100)),
    });
    if (of.kind === 'embeddings') await store.enrichment.endMeaning();
  };

  return defineTask({
    type: 'RESULT_IMPORT',
    input,
    lane: 'enrich',
    exclusive: true,
    recovery: 'resume',
    run: async (task) => {
      const { dataset_id } = task;
      const store = datasets.storeOf(datasets.getRow(dataset_id));
      const folder = await parts.sources.open(task.input, task.signal);
      await assertResultsFit(parts, dataset_id, store, folder.manifest);
      const of = task.checkpoint.of ?? (await describe(task, store, folder));
      if (of.manifest_sha256 !== folder.manifest_sha256) {
        throw new AppError('conflict', message('results_manifest_changed'));
      }
      task.saveCheckpoint({ of, is_saved: task.checkpoint.is_saved === true });
      try {
        const { n_staged } = await store.results.begin(of);
        const nRows = await stage(task, store, folder, n_staged);
        const save = of.kind === 'embeddings' ? saveEmbeddings : saveAnnotations;
        const { what, notes = [], indexes } = await save(task, store, of, nRows);
        const isEmbeddings = of.kind === 'embeddings';
        const noise = isEmbeddings
          ? await calibrateTexts(parts, store, of.model_id, enrichments.noiseOf(dataset_id), task.signal)
          : undefined;
        if (indexes !== NO_INDEX) await index(task, store, of, indexes);
        const counts = await store.items.counts();
        const cover = await coverImages(store);
        await store.results.pause();
        const imported = message('task_results_imported', { what, model: of.model_id });
        task.commit(sentences(imported, ...notes), () => {
          if (noise) enrichments.setEncoder(dataset_id, of.model_id, noise);
          datasets.saveCounts(dataset_id, counts, cover);
          parts.followUps.queue(dataset_id);
          datasets.apply(dataset_id, backTo[task.input.status_before]);
        });
        await store.results.end();
      } finally {
        await store.results.pause();
      }
    },
    undo: async (task) => {
      const { of, is_saved } = task.checkpoint;
      const store = datasets.storeOf(datasets.getRow(task.dataset_id));
      if (of && !(is_saved && of.kind !== 'boxes')) await store.results.undo(of);
      else await store.results.end();
    },
    abort: { reason: STOPPED },
    onFailure: (datasetId, _reason, { status_before }) => datasets.apply(datasetId, backTo[status_before]),
  });
}

/** Codes of the problems of rows, which count. */
const PROBLEM_CODES = {
  unknown: 'results_unknown',
  doubled: 'results_doubled',
  not_vectors: 'results_not_vectors',
  not_finite: 'results_not_finite',
  zero: 'results_zero',
  without_text: 'results_without_text',
  bad_confidence: 'results_bad_confidence',
  bad_box: 'results_bad_box',
} as const;

function presentProblem({ problem, n, file, row }: RowProblemCount, { kind, dim = 0 }: ResultManifest): Message {
  const column = kind === 'captions' ? 'caption' : 'label';
  const count = { code: PROBLEM_CODES[problem], params: { count: n, n: wholeNumber(n), dim, column } };
  return message('results_problem_at', { problem: count, file, row });
}
