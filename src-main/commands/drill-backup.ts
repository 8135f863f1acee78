import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { AppError, isDiskFull } from '../contract/errors.ts';
import { formatMessage } from '../contract/messages.ts';
import type { Dataset } from '../contract/schemas/dataset.ts';
import type { Core } from '../core/core.ts';
import type { StoredDataset } from '../core/ports/backups.ts';
import { restoreDataFolder } from '../infra/backups/restore-data-folder.ts';
import { checksumOf } from '../infra/files/file-checksum.ts';
import { type Caller, callerOf, fileOf } from './caller.ts';

/** Number of originals that are compared. */
const N_ORIGINALS = 10;
/** Number of items among which originals are searched: originals in folders of the user are not in a backup. */
const N_CANDIDATES = 60;
const EXIT = { same: 0, lost: 2, not_compared: 3 };
const COUNTS = ['n_images', 'n_videos', 'n_objects'] as const;

/** State of the data folder that a restored backup is compared with. */
export interface DataState {
  datasets: (Pick<Dataset, 'id' | 'display_name' | 'status_new' | 'updated_at' | (typeof COUNTS)[number]> & {
    /** The first page of Explore: ids of clusters and of the items that they show. Null if the dataset cannot be explored now. */
    page: string | null;
  })[];
  /** Some images, in random order. */
  originals: { dataset_id: string; image_id: string; content_hash: string }[];
}

/** Reads the state of a data folder. */
export async function readDataState(call: Caller): Promise<DataState> {
  const datasets: DataState['datasets'] = [];
  const images: { dataset_id: string; image_id: string }[] = [];
  for (const row of await call('list_datasets', {})) {
    const isExplorable = row.status_new === 'READY' || row.status_new === 'PARTIAL INDEX';
    datasets.push({ ...row, page: isExplorable ? await readPage(call, row.id) : null });
    if (!isExplorable) continue;
    const { items } = await call('list_items', { dataset_id: row.id, page_size: 500 });
    const ids = items.map(({ media_id }) => ({ dataset_id: row.id, image_id: media_id }));
    images.push(...shuffled(ids).slice(0, N_CANDIDATES));
  }
  const originals: DataState['originals'] = [];
  for (const id of shuffled(images).slice(0, N_CANDIDATES)) {
    const { media_type, content_hash } = await call('get_dataset_image', id);
    if (media_type === 'image') originals.push({ ...id, content_hash });
  }
  return { datasets, originals };
}

async function readPage(call: Caller, datasetId: string): Promise<string> {
  const { clusters } = await call('explore', { dataset_id: datasetId, threshold: 0 });
  return JSON.stringify(
    clusters.map(({ cluster_id, previews }) => [cluster_id, ...previews.map(({ media_id }) => media_id)]),
  );
}

/** What a drill found. */
interface Drill {
  backup_id: string | null;
  n_datasets: number;
  /** Number of originals in the backup that have the bytes of the source. */
  n_originals: number;
  lost: string[];
  not_compared: string[];
}

/**
 * The command `npm run backup -- --verify --drill`: restores a backup into a temporary folder, starts a core on it and compares it with the
 * data folder. The temporary folder is deleted when the process ends, however it ends, except by a kill.
 * @param options `source`: state of the data folder; undefined if there is none. `start`: starts a core that only answers.
 * @returns The exit code: 0 when everything is the same, 2 when something is lost, 3 when nothing is but something was not compared.
 * @throws AppError `invalid_request` when the folder holds no backups, `not_found`.
 */
export async function drillBackup(
  options: {
    from: string;
    backup_id: string | undefined;
    json: boolean;
    source: DataState | undefined;
    start: (dataFolder: string) => Promise<{ core: Core; close(): Promise<void> }>;
  },
  print: (line: string) => void,
): Promise<number> {
  const say = options.json ? () => undefined : print;
  const folder = await folderUntilExit();
  const drill: Drill = { backup_id: null, n_datasets: 0, n_originals: 0, lost: [], not_compared: [] };
  try {
    await restoreAndCompare(join(folder, 'data'), options, drill, say);
  } catch (error) {
    if (isDiskFull(error)) drill.not_compared.push(`There is not enough room for the backup in ${tmpdir()}`);
    else if (error instanceof AppError && error.code === 'storage_failed') drill.lost.push(error.message);
    else throw error;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  const { n_datasets, n_originals, lost, not_compared } = drill;
  for (const line of lost) say(`Lost: ${line}`);
  for (const line of not_compared) say(`Not compared: ${line}`);
  say(`${n_datasets} datasets and ${n_originals} originals compared, ${lost.length} losses`);
  const exitCode = lost.length > 0 ? EXIT.lost : not_compared.length > 0 ? EXIT.not_compared : EXIT.same;
  if (options.json) print(JSON.stringify({ exit_code: exitCode, ...drill }));
  return exitCode;
}

/** Creates a temporary folder that is deleted when the process exits. Signals end the process. */
async function folderUntilExit(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-drill-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(EXIT.not_compared));
  return folder;
}

async function restoreAndCompare(
  to: string,
  { from, backup_id, source, start }: Parameters<typeof drillBackup>[0],
  drill: Drill,
  say: (line: string) => void,
): Promise<void> {
  say('Restoring into a temporary folder…');
  const backup = await restoreDataFolder({ from, backup_id, to }, () => undefined);
  drill.backup_id = backup.backup_id;
  say('Comparing…');
  const service = await start(to);
  try {
    const restored = await readDataState(callerOf(service.core));
    for (const dataset of backup.datasets) compareDataset(dataset, { restored, source, drill });
    const stored = new Set(backup.datasets.map(({ dataset_id }) => dataset_id));
    for (const { id, display_name } of source?.datasets ?? [])
      if (!stored.has(id)) drill.not_compared.push(`${display_name} is newer than the backup`);
    if (!source)
      drill.not_compared.push('There is no data folder to compare with, only what the backup says of itself');
    await compareOriginals(service.core, to, (source ?? restored).originals, drill);
  } finally {
    await service.close();
  }
}

function compareDataset(
  backedUp: StoredDataset,
  { restored, source, drill }: { restored: DataState; source: DataState | undefined; drill: Drill },
): void {
  const { dataset_id, name, problem } = backedUp;
  if (problem !== null) {
    drill.not_compared.push(`${name}: ${formatMessage(problem)}`);
    return;
  }
  drill.n_datasets += 1;
  const found = restored.datasets.find(({ id }) => id === dataset_id);
  if (!found) {
    drill.lost.push(`${name} is missing after the restore`);
    return;
  }
  for (const count of COUNTS)
    if (found[count] !== backedUp[count])
      drill.lost.push(`${name}: ${count} is ${found[count]}, ${backedUp[count]} were backed up`);
  const before = source?.datasets.find(({ id }) => id === dataset_id);
  // A dataset that has changed since is compared with what the backup says of it.
  const isUnchanged =
    before?.updated_at === found.updated_at && COUNTS.every((count) => before[count] === found[count]);
  if (isUnchanged && before.page !== found.page) drill.lost.push(`${name}: the first page of Explore differs`);
}

async function compareOriginals(
  core: Core,
  folder: string,
  candidates: DataState['originals'],
  drill: Drill,
): Promise<void> {
  const call = callerOf(core);
  for (const { content_hash, ...id } of candidates) {
    if (drill.n_originals === N_ORIGINALS) return;
    const image = await call('get_dataset_image', id).catch(undefinedIfMissing);
    if (!image) continue;
    const file = await fileOf(core, image.media_uri).catch(undefinedIfMissing);
    if (!file?.path.startsWith(folder + sep)) continue;
    drill.n_originals += 1;
    if (checksumOf(file.path) !== content_hash) drill.lost.push(`The original of ${image.file_path} differs`);
  }
}

/** An item may be newer than the backup, and its file in a folder that is not available now. */
function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
}

function shuffled<T>(values: readonly T[]): T[] {
  const left = [...values];
  for (let last = left.length - 1; last > 0; last -= 1) {
    const at = randomInt(last + 1);
    [left[last], left[at]] = [left[at] as T, left[last] as T];
  }
  return left;
}
