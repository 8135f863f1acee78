import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { collectPackages } from '../../tools/notice/collect-packages.ts';
import { noticeText } from '../../tools/notice/notice-text.ts';

const root = resolve(import.meta.dirname, '..', '..');
const packages = collectPackages(root);

it('NOTICE lists the packages that ship: run "npm run generate:notice" after a change of dependencies', () => {
  expect(readFileSync(join(root, 'NOTICE'), 'utf8')).toBe(noticeText(packages));
});

it('the text of every licence is in the repository', () => {
  const texts = new Set(readdirSync(join(root, 'licenses')).map((file) => file.replace(/\.(txt|md)$/, '')));
  const expected = new Set(
    packages.flatMap(({ license }) => license.split(/ AND | OR |[()]/)).map((id) => id.replace(/-or-later$/, '')),
  );
  expected.delete('');
  expected.delete('Apache-2.0');
  expect([...expected].filter((id) => !texts.has(id))).toEqual([]);
  expect(existsSync(join(root, 'LICENSE'))).toBe(true);
});
