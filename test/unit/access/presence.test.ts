import { expect, it } from 'vitest';
import type { DatasetContext } from '../../../src-main/core/access/contexts.ts';
import { PresenceService } from '../../../src-main/core/access/presence.service.ts';

let nowMs = 0;
const clock = { now: () => nowMs, ticksMs: () => nowMs, iso: () => new Date(nowMs).toISOString() };

function context(user: string, dataset = 'one'): DatasetContext {
  const principal = { user_id: user, email: `${user}@example.org`, name: user };
  return { principal, dataset: { dataset_id: dataset } } as unknown as DatasetContext;
}

it('lists the others who look at a dataset, until they leave or are silent for a while', () => {
  const presence = new PresenceService({ clock });
  const note = (user: string, dataset?: string, isLeaving = false) =>
    presence.note(context(user, dataset), { is_leaving: isLeaving }).others.map(({ email }) => email);
  expect(note('ada')).toEqual([]);
  expect(note('bob')).toEqual(['ada@example.org']);
  expect(note('cid', 'two')).toEqual([]);
  expect(note('cid')).toEqual(['ada@example.org', 'bob@example.org']);
  expect(note('bob', 'one', true)).toEqual(['ada@example.org', 'cid@example.org']);
  nowMs = 60_000;
  expect(note('ada')).toEqual(['cid@example.org']);
  nowMs = 80_000;
  expect(note('bob')).toEqual(['ada@example.org']);
});
