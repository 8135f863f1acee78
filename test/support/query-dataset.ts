import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldValue } from '../../src-main/contract/schemas/custom-metadata.ts';
import type { Verdict } from '../../src-main/contract/schemas/review.ts';
import type { RowChange, SelectedRows } from '../../src-main/core/ports/edits.ts';
import type { NewField } from '../../src-main/core/ports/metadata.ts';
import { GenerationReader } from '../../src-main/infra/dataset-store/thread/generation-reader.ts';
import { GenerationWriter } from '../../src-main/infra/dataset-store/thread/generation-writer.ts';
import { createEngineMemories } from '../../src-main/infra/vectors/open-engine.ts';
import { RowSet } from '../../src-main/infra/vectors/row-set.ts';
import { seededRandom } from '../../src-main/infra/vectors/rows.ts';
import { buildIndex } from './build-index.ts';
import { describedFile } from './described-file.ts';
import { EVEN_GREY } from './even-grey.ts';

export const QUERY_DIM = 12;

/** Expected properties of each item of a dataset, in row order. */
export interface KnownItem {
  row: number;
  media_id: string;
  folder: string;
  file: string;
  width: number;
  height: number;
  p95_luma: number;
  /** Labels of the item and its objects, after corrections by people. */
  labels: Set<string>;
  caption: string | null;
  vector: Float32Array;
  objects: {
    row: number;
    label: string;
    labels: Set<string>;
    tags: Set<string>;
    verdict: Verdict | null;
    excluded: boolean;
    vector: Float32Array;
  }[];
  tags: Set<string>;
  /** Values by field. */
  custom: Map<string, FieldValue>;
  /** The verdict in the queue of blurred items. */
  verdict: Verdict | null;
  /** Whether the item and its objects are excluded. */
  excluded: boolean;
}

export const TAGS = ['to do', 'Done'];
export const LABELS = ['cat', 'dog', 'owl', 'person', 'car'];
export const FOLDERS = ['', 'animals', 'animals/wild', 'Streets'];
/** Options of the enum fields. */
export const OPTIONS = ['day', 'night', 'dusk'];
const FIELDS: Pick<NewField, 'field_name' | 'field_type' | 'is_multi'>[] = [
  { field_name: 'note', field_type: 'string', is_multi: false },
  { field_name: 'score', field_type: 'float', is_multi: false },
  { field_name: 'taken', field_type: 'datetime', is_multi: false },
  { field_name: 'page', field_type: 'link', is_multi: false },
  { field_name: 'light', field_type: 'enum', is_multi: false },
  { field_name: 'lights', field_type: 'enum', is_multi: true },
];
export const WORDS = ['red', 'small', 'running', 'two', 'old'];

/** Creates and indexes a dataset of random items with labels, objects and captions through the real store. */
export async function makeQueryDataset(folder: string, seed: number, nItems = 60) {
  const random = seededRandom(seed);
  const some = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const location = { dataset_id: 'd', dataFolder: folder, folder, parquetEntryFile: '' };
  const store = new GenerationWriter(location);
  const start = { ...location, memories: createEngineMemories() };
  const reader = new GenerationReader(start);
  await store.subjects.vectors.openSpace('looks', { encoder_id: 'looks', dim: QUERY_DIM });
  store.subjects.intake.addSource({ source_id: 's', kind: 'folder', root: folder });
  store.subjects.intake.addBatch({ batch_id: 'b', source_id: 's', kind: 'folder' });
  const paths = Array.from({ length: nItems }, (_, at) => {
    const of = some(FOLDERS);
    return `${of === '' ? '' : `${of}/`}${some(['IMG', 'photo'])}_${at}.jpg`;
  });
  store.subjects.intake.addFiles(
    'b',
    paths.map((path) => ({ file_path: path, location: path, kind: 'image' as const, size_bytes: 1, mtime_ms: 1 })),
  );
  const vectors = new Map<string, Float32Array>();
  const images = store.subjects.intake.listPending('b', 'image', null, nItems).map((file) => {
    const vector = unitVector(random);
    vectors.set(file.file_path, vector);
    return describedFile(file, vector, {
      width: 100 + Math.floor(random() * 900),
      height: 100 + Math.floor(random() * 900),
      quality: { ...EVEN_GREY, p95_luma: random() },
    });
  });
  await store.subjects.intake.saveResults(images);

  const items: KnownItem[] = store.subjects.enrichment.listImages('models', null, nItems).map(({ row, media_id }) => {
    const { width = 0, height = 0, file_path = '', quality } = reader.subjects.items.find(media_id) ?? {};
    const at = file_path.lastIndexOf('/');
    return {
      row,
      media_id,
      folder: file_path.slice(0, Math.max(0, at)),
      file: file_path.slice(at + 1),
      width,
      height,
      p95_luma: quality?.p95_luma ?? 0,
      labels: new Set(LABELS.filter(() => random() < 0.2)),
      caption: random() < 0.5 ? null : `a ${some(WORDS)} ${some(WORDS)} thing`,
      vector: vectors.get(file_path) ?? new Float32Array(QUERY_DIM),
      objects: [],
      tags: new Set(),
      custom: new Map(),
      verdict: null,
      excluded: false,
    };
  });
  const sure = { class_id: null, confidence: 0.9 };
  await store.subjects.enrichment.saveImages(
    'models',
    items.map(({ row, media_id, labels, caption }) => ({
      row,
      media_id,
      outputs: [
        { model_id: 'tagger', output: { kind: 'labels', labels: [...labels].map((label) => ({ label, ...sure })) } },
        ...(caption === null ? [] : [{ model_id: 'captioner', output: { kind: 'caption' as const, caption } }]),
        {
          model_id: 'detector',
          output: {
            kind: 'objects',
            objects: LABELS.filter(() => random() < 0.15).map((label) => ({
              label,
              ...sure,
              box: { x: 1, y: 1, width: 20, height: 20 },
            })),
          },
        },
      ],
    })),
    nItems,
    'b',
  );
  const boxes = store.subjects.annotations.listBoxes('b', null, 10_000).images.flatMap(({ crops }) => crops);
  const ofBoxes = boxes.map(() => unitVector(random));
  await store.subjects.annotations.saveBoxes(
    boxes.map(({ key }, at) => ({
      key,
      ok: true,
      thumbnail: new Uint8Array(4),
      vectors: { looks: ofBoxes[at] ?? new Float32Array(QUERY_DIM) },
    })),
  );
  let objectRow = 0;
  for (const item of items) {
    for (const { label } of reader.subjects.items.find(item.media_id)?.objects ?? []) {
      item.objects.push({
        row: objectRow,
        label,
        labels: new Set([label]),
        tags: new Set(),
        verdict: null,
        excluded: false,
        vector: ofBoxes[objectRow] ?? new Float32Array(QUERY_DIM),
      });
      objectRow += 1;
    }
  }
  await publish(store);
  const tags = TAGS.map((name) => store.subjects.edits.addTag(name).tag_id);
  editAtRandom(store, items, tags, random);
  await describeAtRandom(store, items, folder, random);
  return { writer: store, reader, start, items, tags };
}

/** Makes random edits to items and objects, in the store and in the expected properties. */
function editAtRandom(
  store: GenerationWriter,
  items: readonly KnownItem[],
  tags: readonly string[],
  random: () => number,
): void {
  const objects = items.flatMap((item) => item.objects);
  const edit = (change: (rows: SelectedRows) => RowChange, share: number) => {
    const [someItems, someObjects] = [items.filter(() => random() < share), objects.filter(() => random() < share)];
    const rows = { IMAGES: bits(someItems), OBJECTS: bits(someObjects) };
    store.subjects.edits.apply({
      kind: 'TAGS',
      details: { added: [], removed: [] },
      created_by: 'somebody',
      changes: [change(rows)],
    });
    return { someItems, someObjects };
  };
  for (const tag of tags) {
    const tagged = edit((rows) => ({ kind: 'tag', tag_id: tag, holds: true, rows }), 0.3);
    for (const one of [...tagged.someItems, ...tagged.someObjects]) one.tags.add(tag);
    const untagged = edit((rows) => ({ kind: 'tag', tag_id: tag, holds: false, rows }), 0.1);
    for (const one of [...untagged.someItems, ...untagged.someObjects]) one.tags.delete(tag);
  }
  for (const verdict of ['accepted', 'rejected'] as const) {
    const of = { kind: 'verdict', queue_id: 'blur', verdict, user: 'somebody' } as const;
    const decided = edit((rows) => ({ ...of, rows }), 0.3);
    for (const one of [...decided.someItems, ...decided.someObjects]) one.verdict = verdict;
  }
  const left = edit((rows) => ({ kind: 'excluded', holds: true, rows }), 0.1);
  for (const one of [...left.someItems, ...left.someObjects]) one.excluded = true;

  const verdicts = new Map<KnownItem, Map<string, boolean>>();
  for (const label of ['dog', 'zebra', 'dog', 'person']) {
    const holds = random() < 0.5;
    const { someItems, someObjects } = edit((rows) => ({ kind: 'label', label, holds, rows }), 0.2);
    for (const { labels } of someObjects) {
      if (holds) labels.add(label);
      else labels.delete(label);
    }
    for (const item of someItems) verdicts.set(item, (verdicts.get(item) ?? new Map()).set(label, holds));
  }
  for (const item of items) {
    for (const { labels, excluded } of item.objects) if (!excluded) for (const label of labels) item.labels.add(label);
    for (const [label, holds] of verdicts.get(item) ?? []) {
      if (holds) item.labels.add(label);
      else item.labels.delete(label);
    }
    if (item.excluded) for (const object of item.objects) object.excluded = true;
  }
}

/** Gives some items custom metadata. */
async function describeAtRandom(
  store: GenerationWriter,
  items: readonly KnownItem[],
  folder: string,
  random: () => number,
): Promise<void> {
  const some = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const anyValue = ({ field_type, is_multi }: (typeof FIELDS)[number]): FieldValue => {
    if (field_type === 'float') return some([-1, 0, 0.5, 2, 2.5, 100]);
    if (field_type === 'datetime')
      return `20${10 + Math.floor(random() * 15)}-03-0${1 + Math.floor(random() * 9)}T00:00:00.000Z`;
    if (field_type === 'enum') return is_multi ? [some(OPTIONS), some(OPTIONS)] : some(OPTIONS);
    const words = `${some(WORDS)} ${some(WORDS)}`;
    return field_type === 'link' ? `https://example.org/${encodeURIComponent(words)}` : words;
  };
  for (const field of FIELDS) {
    const { field_name, field_type } = field;
    const options = field_type === 'enum' ? OPTIONS : [];
    store.subjects.metadata.addFields([{ ...field, field_id: field_name, enum_options: options }]);
    const rows = items.flatMap((item) => {
      if (random() < 0.3) return [];
      const value = anyValue(field);
      item.custom.set(field_name, value);
      return [{ media_id: item.media_id, value }];
    });
    const path = join(folder, `${field_name}.json`);
    writeFileSync(path, JSON.stringify(rows.toSorted(() => random() - 0.5)));
    await store.subjects.metadata.beginValues(field_name, { kind: 'json', path });
    while (!(await store.subjects.metadata.readValues(field_name)).finished);
  }
}

function bits(of: readonly { row: number }[]): Uint32Array {
  return RowSet.of(
    1000,
    of.map(({ row }) => row),
  ).words;
}

/** Builds and publishes indexes of all saved items. */
export async function publish(store: GenerationWriter): Promise<void> {
  const entries = [];
  for (const entityType of ['IMAGES', 'OBJECTS'] as const) {
    const prepared = await store.subjects.vectors.prepareIndex('looks', entityType);
    entries.push(await buildIndex(prepared, { linkageThresholds: [0.9, 0.7, 0.5, 0.3, 0.1], threads: 1 }));
  }
  await store.subjects.vectors.publishIndex(entries);
}

function unitVector(random: () => number): Float32Array {
  const vector = Float32Array.from({ length: QUERY_DIM }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
