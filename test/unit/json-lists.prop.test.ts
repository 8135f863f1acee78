import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonLists } from '../../src-main/infra/annotations/json-lists.ts';

/** Reads the list `rows` of a JSON text that arrives in chunks of `size` bytes. */
async function rowsOf(json: string | Buffer, size: number): Promise<unknown[]> {
  const bytes = Buffer.from(json);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const rows: unknown[] = [];
  for await (const items of readJsonLists(chunks(), new Set(['rows']), new Set())) {
    rows.push(...items.map(({ value }) => value));
  }
  return rows;
}

it('reads the items of a list however the text is cut into chunks', async () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const document = fc.record({ info: value, rows: fc.array(value), more: fc.string() });
  await fc.assert(
    fc.asyncProperty(document, fc.integer({ min: 1, max: 64 }), fc.nat({ max: 2 }), async (of, size, indent) => {
      const json = JSON.stringify(of, null, indent);
      expect(await rowsOf(json, size)).toEqual((JSON.parse(json) as typeof of).rows);
    }),
  );
});

it.each(['[,]', '[,,,,1]', '[1,]', '[1,,2]', '[{} {}]', '[[][]]', '["a" "b"]', '["a"1]', '[1 2]', '[{},]'])(
  'refuses %s as JSON',
  async (list) => {
    for (const size of [1, 1000]) {
      await expect(rowsOf(`{"rows":${list}}`, size)).rejects.toThrow('not valid JSON near byte');
    }
  },
);

describe('a string of 40 MB', () => {
  const long = Buffer.alloc(40 * 1024 * 1024, 'x');
  const around = (before: string, after: string) => Buffer.concat([Buffer.from(before), long, Buffer.from(after)]);

  it.each([
    ['before the list', around('{"info":"', '","rows":[1]}')],
    ['in an item', around('{"rows":[{"name":"', '"}]}')],
    ['as a key', around('{"', '":1,"rows":[1]}')],
  ])('%s is refused with its limit', async (_where, json) => {
    await expect(rowsOf(json, 1024 * 1024)).rejects.toThrow('a string of more than 32 MiB');
  });
});
