import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVERYDAY_LABELS } from '../../src-main/contract/everyday-labels.ts';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Recommendation } from '../../src-main/contract/schemas/model.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { Api, json, until } from '../support/api.ts';
import { sha256Of, startModelHub } from '../support/model-hub.ts';
import { startServer } from '../support/server.ts';
import { CLIP } from '../support/shared-models.ts';
import { cpuSecondsOf } from './process-cpu.ts';
import { round, seconds } from './timing.ts';

const ID = 'standin';
const REPOSITORY = 'someone/standin';
const LIMIT_MS = 600_000;
/** Share of the largest clusters that must have a name. */
const NAMED = 0.9;
/** Pause in milliseconds between the answer to "create" and the click on "Download". */
const THINKING_MS = 2000;

/**
 * Measures the first minute of somebody who has no models: seconds from "create" until clusters by appearance are shown, until the
 * recommended encoder is installed, until clusters are those of the encoder, until they have names, and until all tasks have ended. The encoder is a
 * stand-in, served on loopback, whose processor time per image is similar to that of a small CLIP; its word list is the usual one.
 * The clicks are "New dataset", "Create" and "Download".
 */
export async function measureFirstMinute(media: string, models: string, folder: string): Promise<object> {
  const { catalogue, onHub } = packageOf(join(models, 'standin-clip'), folder);
  const hub = await startModelHub(onHub);
  const server = await startServer(join(folder, 'data'), {
    VITRINE_MODELS_CATALOGUE: catalogue,
    VITRINE_MODELS_HUB_URL: hub.url,
    VITRINE_RECOMMENDED_ENCODER: 'ask',
  });
  try {
    const api = new Api(server.baseUrl);
    const startedMs = performance.now();
    const sinceStart = () => round((performance.now() - startedMs) / 1000);
    const cpu = () => cpuSecondsOf(server.process.pid ?? 0);
    const id = await api.createFromFolder('first', join(media, 'photos'));
    /** No clusters until the dataset is indexed. */
    const clusters = async () => {
      const { status, body } = await api.get<ExploreResult>(`/explore/${id}`);
      return status === 200 ? body.clusters : [];
    };
    const installing = async () => {
      await new Promise((resolve) => setTimeout(resolve, THINKING_MS));
      await api.call('POST', '/models/recommendation', json({ answer: 'accepted' }));
      const state = async () => (await api.get<Recommendation>('/models/recommendation')).body.state;
      await until(state, (found) => found === 'installed', LIMIT_MS);
      return sinceStart();
    };
    const installed = installing();
    // The dataset is READY for a moment only, if the encoder is installed by then.
    const shown = await until(clusters, (found) => found.length > 0, LIMIT_MS);
    const shownS = sinceStart();
    const shownCpuS = await cpu();
    const membersOf = (found: ExploreResult['clusters']) =>
      JSON.stringify(found.map(({ cluster_id, n_images: n }) => [cluster_id, n]));
    const before = membersOf(shown);
    await until(clusters, (found) => membersOf(found) !== before, LIMIT_MS);
    const meaningS = sinceStart();
    const named = (found: ExploreResult['clusters']) =>
      found.filter(({ suggested_name }) => suggested_name !== null).length / Math.max(1, found.length);
    await until(clusters, (found) => named(found) >= NAMED, LIMIT_MS);
    const namedS = sinceStart();
    const namedCpuS = await cpu();
    const tasks = async (type: string) =>
      (await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=${type}`)).body.tasks;
    await until(
      () => tasks('MEANING_ADDITION'),
      (found) => found[0]?.status === 'COMPLETED',
      LIMIT_MS,
    );
    const addedS = sinceStart();
    const restS = await seconds(() => api.atRest(LIMIT_MS));
    const { body: made } = await api.get<Dataset>(`/dataset/${id}`);
    return {
      images: made.n_images,
      objects: made.n_objects,
      clusters_by_appearance_s: shownS,
      installed_s: await installed,
      clusters_by_meaning_s: meaningS,
      named_s: namedS,
      objects_by_meaning_s: addedS,
      all_tasks_ended_s: round(addedS + restS),
      cpu_s: { clusters: round(shownCpuS), named: round(namedCpuS), end: round(await cpu()) },
      names: (await clusters()).slice(0, 20).map(({ suggested_name, n_images: n }) => `${suggested_name} ${n}`),
    };
  } finally {
    await server.stop();
    hub.close();
  }
}

/** Writes a catalogue that recommends the stand-in, with a tagger of the usual word list. */
function packageOf(model: string, folder: string) {
  const files = readdirSync(model, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path: path.slice(model.length + 1), bytes: readFileSync(path) }));
  const listed = files.map(({ path, bytes }) => ({ path, size_bytes: bytes.length, sha256: sha256Of(bytes) }));
  const about = { package_id: ID, description: '' };
  const source = { hub_repository: REPOSITORY, revision: 'r1' };
  const tagger = { kind: 'zero_shot', encoder: CLIP, labels: EVERYDAY_LABELS, templates: ['a photo of a {}'] };
  const catalogue = join(folder, 'models.json');
  writeFileSync(
    catalogue,
    JSON.stringify({
      packages: [{ id: ID, name: 'Stand-in', vendor: '', licence: '', source, files: listed, recommended: true }],
      models: [
        { id: ID, name: 'Stand-in', type: 'MULTIMODEL_IMAGE_ENCODING', ...about, runner: CLIP },
        { id: `${ID}-tags`, name: 'Stand-in, tags', type: 'IMAGE_TAGGING', ...about, runner: tagger },
      ],
    }),
  );
  const prefix = `/${REPOSITORY}/resolve/r1`;
  return { catalogue, onHub: Object.fromEntries(files.map(({ path, bytes }) => [`${prefix}/${path}`, bytes])) };
}
