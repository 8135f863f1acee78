import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Arguments } from '../../src-main/contract/contract.ts';
import type { Edit } from '../../src-main/contract/schemas/edit.ts';
import type { ReviewQueue } from '../../src-main/contract/schemas/review.ts';
import type { Principal } from '../../src-main/core/core.ts';
import { type Api, json } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { inProcessCompute, QUALITY } from '../support/in-process-compute.ts';
import { addMember } from '../support/members.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

const N_FINE = 8;
const N_DARK = 5;
const N_PAIRS = 3;

let test: TestApi;
let api: Api;
let dataset: string;
let other: Principal;

beforeAll(async () => {
  const folder = await temporaryFolder(atEnd);
  await mkdir(join(folder, 'old'));
  const write = (name: string, content = name) => writeFile(join(folder, name), content);
  for (let nth = 0; nth < N_FINE; nth += 1) await write(`fine-${nth}.png`);
  for (let nth = 0; nth < N_DARK; nth += 1) await write(`dark-${nth}.png`, 'in the dark '.repeat(500) + nth);
  for (let nth = 0; nth < N_PAIRS; nth += 1) {
    await write(`pair-${nth}.png`);
    await write(`old/copy-${nth}.png`, `pair-${nth}.png`);
  }
  const compute = inProcessCompute();
  const { describeImages } = compute;
  compute.describeImages = async (items, ...more) => {
    const results = await describeImages(items, ...more);
    return results.map((result, at) => {
      const nth = /dark-(\d)/.exec(items[at]?.path ?? '')?.[1];
      if (nth === undefined || !result.ok) return result;
      return { ...result, quality: { ...QUALITY, p95_luma: 0.02 + 0.02 * Number(nth) } };
    });
  };
  test = await startTestApi({ finished: atEnd, compute });
  api = test.api;
  other = await addMember(test.data, 'grace', 'admin');
  dataset = await api.createFromFolder('doubts', folder, { encoder: 'none' });
  await api.waitFor(dataset, 'READY');
});

type QueueInput = Omit<Arguments<'list_review_entries'>, 'dataset_id'>;

async function next(input: QueueInput, by?: Principal): Promise<ReviewQueue> {
  return test.call('list_review_entries', { dataset_id: dataset, ...input }, by);
}
const decide = (body: Omit<Arguments<'decide_review'>, 'dataset_id'>) =>
  api.call<Edit & { detail: string }>('POST', `/dataset/${dataset}/review/decisions`, json(body));
const media = (...mediaIds: string[]) => [{ type: 'media' as const, payload: { media_ids: mediaIds } }];
const idsOf = ({ entries }: ReviewQueue) => entries.map(({ entry_id }) => entry_id);
const done = (queue: ReviewQueue) => queue.done.reduce((sum, { count }) => sum + count, 0);
const undo = (editId: number | null) =>
  api.call<Edit & { detail: string }>('POST', `/dataset/${dataset}/undo_edit`, json({ edit_id: editId }));
const total = async (...filters: unknown[]) =>
  (await test.call('list_items', { dataset_id: dataset, vql: JSON.stringify(filters) })).total;

describe('a queue of an issue', () => {
  it('lists the most certain first with reason and suggestion, and leaves out what is decided', async () => {
    const queue = await next({ kind: 'dark' });
    expect(queue).toMatchObject({ queue_id: 'dark', left: N_DARK, done: [] });
    const confidences = queue.entries.map(({ reason }) => reason.confidence ?? 0);
    expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
    expect(queue.entries[0]).toMatchObject({
      reason: { code: 'dark', by_appearance: false },
      suggestion: { action: 'exclude' },
      group: null,
    });

    const [first = '', second = '', third = ''] = idsOf(queue);
    const tag = await test.call('create_tag', { dataset_id: dataset, name: 'too dark' });
    const accepted = await decide({
      queue_id: 'dark',
      verdict: 'accepted',
      media_selection: media(first),
      exclude: true,
    });
    expect(accepted).toMatchObject({ status: 200, body: { kind: 'EXCLUSION', n_changed: 1 } });
    const rejected = await decide({
      queue_id: 'dark',
      verdict: 'rejected',
      media_selection: media(second),
    });
    expect(rejected.body).toMatchObject({ kind: 'REVIEW', n_changed: 1 });
    const fixed = await decide({
      queue_id: 'dark',
      verdict: 'fixed',
      media_selection: media(third),
      add_tags: [tag.tag_id],
      add_labels: ['night'],
    });
    expect(fixed.body).toMatchObject({ kind: 'LABELS', added: ['too dark', 'night'], n_changed: 1 });

    const rest = await next({ kind: 'dark' });
    expect([rest.left, done(rest)]).toEqual([N_DARK - 3, 3]);
    expect(idsOf(rest)).not.toEqual(expect.arrayContaining([second]));
    expect(await total({ reviewed: { op: 'is', value: 'dark', verdict: 'rejected' } })).toBe(1);
    expect(await total({ reviewed: { op: 'is', value: 'dark' } }, { excluded: { value: true } })).toBe(1);
    const again = await decide({ queue_id: 'dark', verdict: 'rejected', media_selection: media(second) });
    expect(again).toMatchObject({ status: 409, body: { detail: 'These items are already decided' } });

    // Any of the last edits is undone, unless a later one changed the same again.
    expect((await undo(accepted.body.edit_id)).status).toBe(200);
    expect((await next({ kind: 'dark' })).left).toBe(N_DARK - 2);
    const twice = await decide({ queue_id: 'dark', verdict: 'accepted', media_selection: media(first) });
    await undo(rejected.body.edit_id);
    await undo(fixed.body.edit_id);
    await undo(twice.body.edit_id);
    expect((await undo(twice.body.edit_id)).status).toBe(404);
    const untouched = await next({ kind: 'dark' });
    expect([untouched.left, done(untouched)]).toEqual([N_DARK, 0]);
  });

  it('gives two people different entries, and counts the decisions of each', async () => {
    const mine = idsOf(await next({ kind: 'dark', limit: 2 }));
    const theirs = idsOf(await next({ kind: 'dark', limit: 2 }, other));
    expect(theirs).toHaveLength(2);
    expect(theirs.filter((id) => mine.includes(id))).toEqual([]);
    // The same person gets the same entries again, and skips some on request.
    expect(idsOf(await next({ kind: 'dark', limit: 2 }))).toEqual(mine);
    const [first = '', second = ''] = mine;
    const skipped = await next({ kind: 'dark', skip: [first], limit: 2 });
    expect(idsOf(skipped)[0]).toBe(second);
    expect(idsOf(skipped)).not.toContain(theirs[0]);
    expect(skipped.left).toBe(N_DARK);

    const decision = { dataset_id: dataset, queue_id: 'dark', verdict: 'rejected' as const };
    const edit = await test.call('decide_review', { ...decision, media_selection: media(first) });
    const byOther = await test.call('decide_review', { ...decision, media_selection: media(theirs[0] ?? '') }, other);
    const { done: counts } = await next({ kind: 'dark' });
    expect(counts.map(({ count }) => count)).toEqual([1, 1]);
    expect(counts.map(({ user }) => user)).toContain(other.email);
    await undo(edit.edit_id);
    await undo(byOther.edit_id);
  });

  it('is accepted as a whole in one edit that can be undone, from a confidence on', async () => {
    const apply = (body: object) =>
      api.call<{ n_entries: number; size_bytes: number; edit: Edit | null }>(
        'POST',
        `/dataset/${dataset}/review/apply`,
        json({ kind: 'dark', confidence_min: 0.996, ...body }),
      );
    const counted = await apply({ dry_run: true });
    expect(counted).toMatchObject({ status: 200, body: { n_entries: 3, n_changed: 3, edit: null } });
    expect(counted.body.size_bytes).toBeGreaterThan(1000);
    const { body } = await apply({});
    expect(body.edit).toMatchObject({ kind: 'EXCLUSION', n_changed: 3 });
    expect((await next({ kind: 'dark' })).left).toBe(N_DARK - 3);
    expect((await test.call('get_dataset', { dataset_id: dataset })).n_images).toBe(N_FINE + N_DARK + 2 * N_PAIRS - 3);
    await undo(body.edit?.edit_id ?? null);
    expect((await next({ kind: 'dark' })).left).toBe(N_DARK);
    const refused = await api.call('POST', `/dataset/${dataset}/review/apply`, json({ kind: 'query' }));
    expect(refused.status).toBe(400);
  });
});

describe('a queue of duplicates', () => {
  it('is decided by group: the copy to keep stays, or all stay', async () => {
    const queue = await next({ kind: 'duplicates', duplicate_threshold: 1 });
    expect(queue).toMatchObject({ queue_id: 'duplicates', left: N_PAIRS });
    const [one, two] = queue.entries;
    expect(one?.group).toMatchObject({ n_items: 2, cluster_id: one?.entry_id });
    const selection = (id = '') => [
      { type: 'cluster' as const, payload: { cluster_id: id, cluster_filters: { duplicate_threshold: 1 } } },
    ];
    const keep = one?.group?.items[1]?.media_id ?? '';
    const chosen = { queue_id: 'duplicates', media_selection: selection(one?.entry_id), keep_media_id: keep };
    const excluded = await decide({ ...chosen, verdict: 'accepted', exclude: true });
    expect(excluded.body).toMatchObject({ kind: 'EXCLUSION', n_changed: 1 });
    const kept = await decide({
      queue_id: 'duplicates',
      verdict: 'rejected',
      media_selection: selection(two?.entry_id),
      keep_media_id: two?.group?.keep_media_id,
    });
    expect(kept.body).toMatchObject({ kind: 'REVIEW' });
    const rest = await next({ kind: 'duplicates', duplicate_threshold: 1 });
    expect([rest.left, done(rest)]).toEqual([N_PAIRS - 2, 2]);
    await undo(excluded.body.edit_id);
    await undo(kept.body.edit_id);
  });

  it('is resolved as a whole by folders to prefer, counted first, and undone at once', async () => {
    const body = { kind: 'duplicates' as const, duplicate_threshold: 0.95, prefer_folders: ['OLD/'] };
    const apply = (more: object) => test.call('apply_review', { dataset_id: dataset, ...body, ...more });
    expect(await apply({ dry_run: true })).toMatchObject({ n_entries: N_PAIRS, n_changed: N_PAIRS, edit: null });
    const { edit } = await apply({});
    expect(edit).toMatchObject({ kind: 'EXCLUSION', n_changed: N_PAIRS });
    const left = await next({ kind: 'duplicates' });
    expect([left.left, done(left)]).toEqual([0, N_PAIRS]);
    expect(await total({ folders: { op: 'one_of', value: ['old'] } })).toBe(N_PAIRS);
    // Counting reserves nothing.
    expect(await next({ kind: 'duplicates', limit: 0 })).toMatchObject({ left: 0, entries: [] });
    await undo(edit?.edit_id ?? null);
    expect((await next({ kind: 'duplicates' })).left).toBe(N_PAIRS);
    // Matches of a filter only.
    const some = await apply({ dry_run: true, vql: JSON.stringify([{ files: { op: 'contains', value: ['-0'] } }]) });
    expect(some).toMatchObject({ n_entries: 1 });
    for (const keepRule of ['resolution', 'size', 'format', 'oldest', 'newest', 'suggested'] as const) {
      expect(await apply({ dry_run: true, keep_rule: keepRule })).toMatchObject({ n_entries: N_PAIRS });
    }
  });
});

describe('a queue of anything', () => {
  it('has items without labels, and the results of a query, each with verdicts of its own', async () => {
    const { left, entries } = await next({ kind: 'unlabeled' });
    expect(left).toBe(N_FINE + N_DARK + 2 * N_PAIRS);
    const query: QueueInput = { kind: 'query', vql: JSON.stringify([{ files: { op: 'contains', value: ['dark'] } }]) };
    const found = await next(query);
    expect(found.left).toBe(N_DARK);
    expect(found.queue_id).toMatch(/^query-[0-9a-f]{24}$/);
    const [first] = found.entries;
    await decide({ queue_id: found.queue_id, verdict: 'accepted', media_selection: media(first?.entry_id ?? '') });
    expect((await next(query)).left).toBe(N_DARK - 1);
    const labelled = await decide({
      queue_id: 'unlabeled',
      verdict: 'fixed',
      media_selection: media(entries[0]?.entry_id ?? ''),
      add_labels: ['thing'],
    });
    expect(labelled.body.kind).toBe('LABELS');
    const rest = await next({ kind: 'unlabeled' });
    expect([rest.left, done(rest)]).toEqual([left - 1, 1]);
  });

  it('goes on where it was after a restart', async () => {
    const before = await next({ kind: 'unlabeled' });
    await test.close();
    const again = await startTestApi({ finished: atEnd, data: test.data });
    const after = await again.call('list_review_entries', { dataset_id: dataset, kind: 'unlabeled' });
    expect([after.left, after.done, idsOf(after)]).toEqual([before.left, before.done, idsOf(before)]);
  });
});
