import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-main/contract/errors.ts';

const SOURCES = join(import.meta.dirname, '../../../src-main');

describe('sentences of the product', () => {
  it('are in the catalogue: an error takes no text', () => {
    // @ts-expect-error An error takes a message of the catalogue, so that its sentence can be translated.
    expect(() => new AppError('not_found', 'Dataset not found')).toThrow();
  });

  it('do not enter as texts of others', () => {
    const literal = /asWritten\(\s*['"`]/;
    const files = globSync('**/*.ts', { cwd: SOURCES });
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => literal.test(readFileSync(join(SOURCES, file), 'utf8')))).toEqual([]);
  });
});
