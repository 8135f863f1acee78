import { expect, test } from 'vitest';
import { compileExcludes } from '../../../src-main/infra/watch/exclude-patterns.ts';

test.each<[pattern: string, left_out: string[], kept: string[]]>([
  ['cache', ['cache', 'cache/a.jpg', 'x/Cache/y/a.jpg'], ['caches/a.jpg', 'a-cache.jpg']],
  ['*.tmp.jpg', ['a.tmp.jpg', 'x/.tmp.jpg', 'x/b.TMP.JPG'], ['a.jpg', 'tmp.jpg']],
  ['/top', ['top/a.jpg', 'top'], ['x/top/a.jpg']],
  ['top/sub', ['top/sub/a.jpg'], ['x/top/sub/a.jpg', 'top/a.jpg']],
  ['raw/', ['raw/a.jpg', 'x/raw/y/a.jpg'], ['raw', 'x/raw']],
  ['**/raw/*.png', ['raw/a.png', 'x/y/raw/a.png'], ['raw/a.jpg', 'raw/y/a.png']],
  ['a/**/z', ['a/z/1.jpg', 'a/b/c/z/1.jpg'], ['b/z/1.jpg', 'a/zz/1.jpg']],
  ['a/**', ['a/1.jpg', 'a/b/1.jpg'], ['b/a/1.jpg', 'a']],
  ['img_???.jpg', ['img_001.jpg'], ['img_01.jpg', 'img_0001.jpg']],
  ['export\\\\*.png', ['export/a.png'], ['export/x/a.png']],
  ['gr\u00fc\u00dfe', ['gru\u0308\u00dfe/a.jpg'], ['grusse/a.jpg']],
  ['  ', [], ['a.jpg']],
  ['', [], ['a.jpg']],
])('%s', (pattern, leftOut, kept) => {
  const isLeftOut = compileExcludes([pattern]);
  for (const filePath of leftOut) expect(isLeftOut(filePath), filePath).toBe(true);
  for (const filePath of kept) expect(isLeftOut(filePath), filePath).toBe(false);
});

test('a pattern that is built to be slow is fast', () => {
  const isLeftOut = compileExcludes([`${'*a'.repeat(200)}b`, `${'**/a/'.repeat(200)}b`]);
  expect(isLeftOut(`${'a'.repeat(255)}.jpg`)).toBe(false);
  expect(isLeftOut(`${'a/'.repeat(500)}c.jpg`)).toBe(false);
});
