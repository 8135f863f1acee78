import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { datasetMigrations } from '../../src-main/infra/dataset-store/schema/migrations.ts';
import {
  createSnapshot,
  restoreSnapshot,
  snapshotFolder,
} from '../../src-main/infra/dataset-store/snapshots/stored-snapshots.ts';
import { openDatabase } from '../../src-main/infra/sqlite/open-database.ts';
import { BuiltInEngine } from '../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { fillDatabase } from '../support/fill-database.ts';
import { seeded } from '../support/images.ts';

/** Number of items; `VITRINE_BENCH_ITEMS` overrides it. */
const ITEMS = Number(process.env.VITRINE_BENCH_ITEMS ?? 100_000);
const EDITS = [0, 100, 10_000];

/**
 * Measures seconds and bytes of snapshots of 100,000 items: the first one, one after the labels of some items changed, and the seconds of a
 * restore.
 */
export async function measureSnapshots(folder: string): Promise<unknown> {
  const generation = join(folder, '1');
  await mkdir(join(generation, 'thumbnails'), { recursive: true });
  await writeFile(join(generation, 'thumbnails', '000000.pack'), 'thumbnails');
  const file = join(generation, 'data.db');
  const db = openDatabase(file, datasetMigrations);
  const mediaIds = fillDatabase(db, ITEMS);
  const vectorEngine = new BuiltInEngine({ folder: generation });
  const snapshots: Record<string, unknown> = {};
  const placeOf = (snapshotId: string) => ({ datasetFolder: folder, snapshotId });
  const create = async (name: string) => {
    const before = await bytesBelow(join(folder, 'blocks'));
    const started = performance.now();
    const { n_blocks, n_new_blocks } = await createSnapshot(
      { db, folder: generation, vectorEngine },
      placeOf(name),
      {},
    );
    const createdS = seconds(started);
    const manifest = await stat(join(snapshotFolder(placeOf(name)), 'manifest.json'));
    const grownBy = (await bytesBelow(join(folder, 'blocks'))) - before + manifest.size;
    snapshots[name] = {
      created_s: createdS,
      share_of_blocks: Math.round((n_new_blocks / n_blocks) * 1000) / 1000,
      grown_mb: toMb(grownBy),
      share_of_data_db: Math.round((grownBy / (await stat(file)).size) * 1000) / 1000,
    };
  };
  await create('first');
  const random = seeded(11);
  const label = db.prepare<[string, string]>(
    `INSERT INTO label (media_id, label, source) VALUES (?, ?, 'person') ON CONFLICT DO NOTHING`,
  );
  for (const edits of EDITS) {
    db.transaction(() => {
      for (let edit = 0; edit < edits; edit += 1) {
        label.run(mediaIds[Math.floor(random() * ITEMS)] ?? '', `edited ${edits}`);
      }
    })();
    await create(`${edits} labels later`);
  }
  db.close();
  await mkdir(join(folder, '2'));
  const started = performance.now();
  await restoreSnapshot(placeOf('first'), join(folder, '2'));
  return { items: ITEMS, data_db_mb: toMb((await stat(file)).size), restored_s: seconds(started), snapshots };
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const seconds = (startedMs: number) => Math.round(performance.now() - startedMs) / 1000;
const toMb = (bytes: number) => Math.round(bytes / 1e5) / 10;
