import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataVersions } from '../../src-main/infra/dataset-store/columns/data-versions.ts';
import { MetaRepository } from '../../src-main/infra/dataset-store/disk/meta.repository.ts';
import { CustomValues } from '../../src-main/infra/dataset-store/metadata/custom-values.ts';
import { LocalMetadataWrites } from '../../src-main/infra/dataset-store/metadata/local-metadata-writes.ts';
import { datasetMigrations } from '../../src-main/infra/dataset-store/schema/migrations.ts';
import { openWriterRows } from '../../src-main/infra/dataset-store/thread/writer-rows.ts';
import { createParquetThreads } from '../../src-main/infra/parquet/parquet-thread.ts';
import { openDatabase } from '../../src-main/infra/sqlite/open-database.ts';
import { fillDatabase } from '../support/fill-database.ts';
import { seeded } from '../support/images.ts';
import { toMib } from './process-memory.ts';

/** Number of items, and of rows in each file; `VITRINE_BENCH_ITEMS` overrides it with a smaller number. */
const ITEMS = Number(process.env.VITRINE_BENCH_ITEMS ?? 1_000_000);
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Measures the time and memory to fill a field from JSON with rows in item order, in random order, and with invalid rows. */
export async function measureMetadata(folder: string): Promise<unknown> {
  await mkdir(folder, { recursive: true });
  const db = openDatabase(join(folder, 'data.db'), datasetMigrations);
  const mediaIds = fillDatabase(db, ITEMS);
  const rows = openWriterRows(db, folder);
  const writer = new LocalMetadataWrites({ db, rows, openParquet: createParquetThreads('') });
  const found: Record<string, unknown> = { items: ITEMS };
  try {
    found['in order'] = await importRows(writer, folder, 'ordered', mediaIds);
    found['in no order'] = await importRows(writer, folder, 'shuffled', shuffled(mediaIds));
    const unknown = Array.from({ length: ITEMS }, () => UNKNOWN);
    found.bad = await importRows(writer, folder, 'bad', unknown);
    const values = new CustomValues(rows.metadata, new DataVersions(new MetaRepository(db)));
    const started = performance.now();
    values.column(values.field('shuffled'), ITEMS);
    found.column_ms = Math.round(performance.now() - started);
  } finally {
    db.close();
  }
  return found;
}

async function importRows(writer: LocalMetadataWrites, folder: string, name: string, ids: readonly string[]) {
  const path = join(folder, `${name}.json`);
  await pipeline(Readable.from(jsonOf(ids)), createWriteStream(path));
  writer.addFields([{ field_id: name, field_name: name, field_type: 'float', enum_options: [], is_multi: false }]);
  const before = process.memoryUsage().rss;
  let [peak, slowest] = [before, 0];
  const started = performance.now();
  await writer.beginValues(name, { kind: 'json', path });
  for (let finished = false; !finished; ) {
    const begun = performance.now();
    ({ finished } = await writer.readValues(name));
    slowest = Math.max(slowest, performance.now() - begun);
    peak = Math.max(peak, process.memoryUsage().rss);
  }
  await writer.endValues(name);
  const seconds = (performance.now() - started) / 1000;
  return {
    file_mib: toMib((await stat(path)).size),
    seconds: Math.round(seconds * 10) / 10,
    rows_per_s: Math.round(ids.length / seconds),
    slowest_page_ms: Math.round(slowest),
    memory_growth_mib: toMib(peak - before),
  };
}

function* jsonOf(ids: readonly string[]): Generator<string> {
  yield '[';
  for (const [at, mediaId] of ids.entries()) {
    yield `${at === 0 ? '' : ','}\n${JSON.stringify({ media_id: mediaId, value: at / 8 })}`;
  }
  yield ']';
}

function shuffled(ids: readonly string[]): string[] {
  const random = seeded(3);
  return ids
    .map((id) => ({ id, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ id }) => id);
}
