import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { amount } from '../../../src-main/contract/amount.ts';
import { formatMessage } from '../../../src-main/contract/messages.ts';
import { counted } from '../../../src-main/core/tasks/amount.ts';

const MODULE = new URL('../../../src-main/contract/amount.ts', import.meta.url).href;

describe('numbers in messages of tasks', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [12_480, '12,480'],
    [1_000_000, '1,000,000'],
    [-1_234, '-1,234'],
  ])('write %d as %s', (n, written) => expect(amount(n)).toBe(written));

  it.each([
    [0, '0 items'],
    [1, '1 item'],
    [1_234, '1,234 items'],
  ])('count %d as %s', (n, written) => expect(formatMessage(counted('n_items', n))).toBe(written));

  it.each(['de_DE.UTF-8', 'fr_FR.UTF-8', 'hi_IN.UTF-8', 'ar_EG.UTF-8', 'C'])(
    'are English where the machine speaks %s',
    (language) => {
      const script = `import { amount } from ${JSON.stringify(MODULE)}; process.stdout.write(amount(12345678));`;
      const written = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
        encoding: 'utf8',
        env: { ...process.env, LANG: language, LC_ALL: language },
      });
      expect(written).toBe('12,345,678');
    },
  );
});
