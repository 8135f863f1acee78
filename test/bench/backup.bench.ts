import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import Database from 'better-sqlite3';
import type { Backup } from '../../src-main/contract/schemas/backup.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { GenerationWriter } from '../../src-main/infra/dataset-store/thread/generation-writer.ts';
import { Api, json, until } from '../support/api.ts';
import { describedFile } from '../support/described-file.ts';
import { runServer } from '../support/server.ts';
import { startMeasuredServer } from './measured-server.ts';
import { round, seconds } from './timing.ts';

const DIM = 488;
const ITEMS = 100_000;
const AT_ONCE = 1000;
const THUMBNAIL_BYTES = 6000;
const EDITED = 10_000;
const DATASET = '00000000-0000-4000-8000-00000000bac0';

/**
 * Measures backups of a generated dataset of 100,000 items: the first, one after no change, one after labelling a tenth of the items; and
 * the restore. The reference is a bare copy of the same files, each flushed to disk.
 */
export async function measureBackup(folder: string): Promise<unknown> {
  const data = join(folder, 'data');
  const generation = join(data, 'datasets', DATASET, '1');
  await generate(data, generation);
  const bareS = await seconds(() => copyBare(generation, join(folder, 'bare')));
  await rm(join(folder, 'bare'), { recursive: true });
  const server = await startMeasuredServer(data);
  const to = join(folder, 'backups');
  const figures: Record<string, unknown> = {};
  try {
    const api = new Api(server.baseUrl);
    const measure = async (name: string) => {
      await server.loopDelay();
      const startedMs = performance.now();
      const backup = await backUp(api, to);
      const tookS = (performance.now() - startedMs) / 1000;
      figures[name] = {
        seconds: round(tookS),
        to_bare_copy: round(tookS / bareS),
        mb: toMb(backup.bytes),
        new_mb: toMb(backup.new_bytes),
        loop_delay: await server.loopDelay(),
      };
    };
    await measure('first');
    await measure('nothing_changed');
    labelSome(join(generation, 'data.db'));
    await measure(`${EDITED} labels later`);
  } finally {
    await server.stop();
  }
  const restoreS = await seconds(() => runServer(join(folder, 'restored'), {}, ['restore', '--from', to]));
  return {
    items: ITEMS,
    bare_copy_s: round(bareS),
    ...figures,
    restore: { seconds: round(restoreS), to_bare_copy: round(restoreS / bareS) },
    blocks: (await readdir(join(to, 'blocks'), { recursive: true })).length,
  };
}

async function backUp(api: Api, folder: string): Promise<Backup> {
  const { body } = await api.call<{ task_id: string }>('POST', '/backup', json({ folder }));
  const { tasks } = await until(
    async () => (await api.get<{ tasks: Task[] }>('/tasks?task_type=BACKUP')).body,
    ({ tasks: [latest] }) => latest?.task_id === body.task_id && latest.end_time !== null,
    600_000,
  );
  if (tasks[0]?.status !== 'COMPLETED') throw new Error(`the backup failed: ${tasks[0]?.error_message}`);
  const [latest] = (await api.get<{ backups: Backup[] }>('/backups')).body.backups;
  if (!latest) throw new Error('there is no backup');
  return latest;
}

/** Generates items whose vectors and thumbnails are all different, so that no two blocks are equal. The first start imports the folder. */
async function generate(data: string, generation: string): Promise<void> {
  await mkdir(generation, { recursive: true });
  const store = new GenerationWriter({
    dataset_id: DATASET,
    dataFolder: data,
    folder: generation,
    parquetEntryFile: '',
  });
  await store.subjects.vectors.openSpace('looks', { encoder_id: 'bench', dim: DIM });
  store.subjects.intake.addSource({ source_id: 's', kind: 'folder', root: generation });
  store.subjects.intake.addBatch({ batch_id: 'b', source_id: 's', kind: 'folder' });
  for (let first = 0; first < ITEMS; first += AT_ONCE) {
    const names = Array.from({ length: AT_ONCE }, (_, at) => `folder/item-${String(first + at).padStart(6, '0')}.jpg`);
    store.subjects.intake.addFiles(
      'b',
      names.map((name) => ({ file_path: name, location: name, kind: 'image', size_bytes: 1, mtime_ms: 1 })),
    );
    const results = store.subjects.intake.listPending('b', 'image', null, AT_ONCE).map((file) =>
      describedFile(
        file,
        Float32Array.from(randomBytes(DIM), (byte) => byte / 255 - 0.5),
        { thumbnail: randomBytes(THUMBNAIL_BYTES) },
      ),
    );
    await store.subjects.intake.saveResults(results);
  }
  store.close();
}

function labelSome(file: string): void {
  const db = new Database(file);
  db.exec(
    `INSERT INTO label (media_id, label, source)
     SELECT media_id, 'edited', 'bench' FROM media ORDER BY media_id LIMIT ${EDITED}`,
  );
  db.close();
}

/** Reads and writes each file at once and flushes it to disk. */
async function copyBare(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, path));
    await mkdir(dirname(target), { recursive: true });
    const file = await open(target, 'w');
    await file.writeFile(await readFile(path));
    await file.sync();
    await file.close();
  }
}

const toMb = (bytes: number) => Math.round(bytes / 1e5) / 10;
