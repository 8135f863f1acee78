import { expect, it } from 'vitest';
import { parseTagTime, printTagTime } from '../../src-main/infra/dataset-store/edits/tag-time.ts';

it.each([
  ['2025-04-02', '2025-04-02T00:00:00.000Z'],
  ['2025-04-02T12:34', '2025-04-02T12:34:00.000Z'],
  ['2025-04-02T12:34:00.189534', '2025-04-02T12:34:00.189534Z'],
  ['2025-04-02T23:59:59.999999999', '2025-04-02T23:59:59.999999Z'],
  ['2025-04-02T01:00:00.5+02:00', '2025-04-01T23:00:00.500Z'],
  ['2025-04-02T12:34:00.18Z', '2025-04-02T12:34:00.180Z'],
  ['1969-12-31T12:00:00.000001', '1969-12-31T12:00:00.000001Z'],
])('a tag of %s is of %s', (written, shown) => {
  expect(printTagTime(parseTagTime(written))).toBe(shown);
  expect(printTagTime(parseTagTime(shown))).toBe(shown);
});
