import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { Filter } from '../../../src-main/contract/vql/filters.ts';
import { parseVql } from '../../../src-main/contract/vql/parse-vql.ts';
import { printVql } from '../../../src-main/contract/vql/print-vql.ts';
import { anyFilter } from './any-filter.ts';

describe('VQL', () => {
  it('parses what it prints, for any query', () => {
    fc.assert(
      fc.property(fc.array(anyFilter), (filters) => {
        expect(parseVql(printVql(filters))).toEqual(filters);
      }),
    );
  });

  it('means the same without white space, with sibling ids, and with all filters in one item', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyFilter, { selector: ({ name }) => name, minLength: 1 }), (filters) => {
        const item = Object.fromEntries(filters.map(({ name, body }) => [name, body]));
        expect(parseVql(JSON.stringify([{ id: 'x', ...item }], undefined, 2))).toEqual(filters);
      }),
    );
  });

  it('refuses anything else with the position of the error', () => {
    const nonsense = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .array(
          fc.dictionary(
            fc.constantFrom<Filter['name'] | 'id' | 'x'>('text', 'labels', 'width', 'captions', 'id', 'x'),
            fc.jsonValue(),
          ),
        )
        .map((items) => JSON.stringify(items)),
    );
    fc.assert(
      fc.property(nonsense, (vql) => {
        try {
          parseVql(vql);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/^vql/) });
        }
      }),
    );
  });
});
