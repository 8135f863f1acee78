import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SchemaElement } from 'hyparquet';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { openParquet } from '../../../src-main/infra/parquet/read-parquet.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type List = (number | null)[] | null;

/** Lists of all lengths, some missing, with missing elements. */
const LISTS: List[] = Array.from({ length: 2500 }, (_, row) => {
  if (row % 7 === 3) return null;
  return Array.from({ length: row % 5 }, (_, nth) => (row % 11 === 4 && nth === 1 ? null : row + nth / 4));
});

const COLUMNS: Record<string, { element: SchemaElement; column: Partial<ColumnSource>; lists: List[] }> = {
  'of float32': { element: { name: 'element', type: 'FLOAT' }, column: {}, lists: LISTS },
  'of float64': { element: { name: 'element', type: 'DOUBLE' }, column: {}, lists: LISTS },
  'of integers': { element: { name: 'element', type: 'INT32' }, column: {}, lists: LISTS.map(rounded) },
  'of few values, which are in a dictionary': {
    element: { name: 'element', type: 'FLOAT' },
    column: { encoding: 'RLE_DICTIONARY' },
    lists: LISTS.map((list) => list?.map((value) => value && value % 3) ?? null),
  },
  'without a missing element': {
    element: { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
    column: {},
    lists: LISTS.map((_, row) => [row, -row, 0.5]),
  },
  'of texts, which are no numbers': {
    element: { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    column: {},
    lists: LISTS.map((list) => list?.map((value) => value && `${value}`) ?? null) as never,
  },
};

function rounded(list: List): List {
  return list?.map((value) => value && Math.round(value)) ?? null;
}

it.each(Object.entries(COLUMNS))('reads a column of lists %s', async (_name, { element, column, lists }) => {
  const file = join(await temporaryFolder(), 'lists.parquet');
  const schema: SchemaElement[] = [
    { name: 'root', num_children: 2 },
    { name: 'id', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    { name: 'list', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { repetition_type: 'OPTIONAL', ...element },
  ];
  const ids = lists.map((_, row) => `item-${row}`);
  const columnData = [
    { name: 'id', data: ids },
    { name: 'list', data: lists, ...column },
  ] as ColumnSource[];
  await writeFile(file, new Uint8Array(parquetWriteBuffer({ schema, columnData, rowGroupSize: 1200 })));
  const table = await openParquet(file);
  const found: number[][] = [];
  const foundIds: unknown[] = [];
  for await (const { first_row, ids: some, components, ends } of table.vectors('id', 'list', AbortSignal.any([]))) {
    expect(first_row).toBe(found.length + 1);
    foundIds.push(...some);
    for (const [at, end] of ends.entries()) found.push(Array.from(components.subarray(ends[at - 1] ?? 0, end)));
  }
  await table.close();
  expect(foundIds).toEqual(ids);
  expect(found).toEqual(
    lists.map((list) => (list ?? []).map((value) => (typeof value === 'number' ? Math.fround(value) : Number.NaN))),
  );
});
