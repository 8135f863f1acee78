import { expect, it } from 'vitest';
import { OpenLimit } from '../../src-main/infra/threads/open-limit.ts';

function limited(limit: number, mayClose?: (key: string) => Promise<boolean>) {
  const closed: string[] = [];
  const opened = new OpenLimit({
    limit: () => limit,
    idleMs: 60_000,
    ...(mayClose && { mayClose }),
    close: async (key) => {
      closed.push(key);
    },
  });
  return { opened, closed };
}

/** A call that finishes when the test ends it. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { call: () => promise, end: resolve };
}

const nothing = async () => undefined;
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('closes the least recently used key for another one', async () => {
  const { opened, closed } = limited(2);
  for (const key of ['a', 'b', 'a', 'c']) await opened.use(key, nothing);
  expect(closed).toEqual(['b']);
  expect(opened.keys).toEqual(['a', 'c']);
});

it('lets a call wait while all keys are in use, and never opens more', async () => {
  const { opened, closed } = limited(1);
  const first = held();
  const answered: string[] = [];
  const calls = [
    opened.use('a', first.call).then(() => answered.push('a')),
    opened.use('b', nothing).then(() => answered.push('b')),
  ];
  await settle();
  expect([answered, opened.keys]).toEqual([[], ['a']]);
  first.end();
  await Promise.all(calls);
  expect([answered, closed, opened.keys]).toEqual([['a', 'b'], ['a'], ['b']]);
});

it('does not let a permanently used key block others', async () => {
  const { opened } = limited(1);
  const [first, second] = [held(), held()];
  const answered: string[] = [];
  const busy = opened.use('a', first.call);
  const waiting = opened.use('b', nothing).then(() => answered.push('b'));
  await settle();
  const more = opened.use('a', second.call).then(() => answered.push('a again'));
  second.end();
  first.end();
  await Promise.all([busy, waiting, more]);
  expect(answered).toEqual(['b', 'a again']);
});

it('leaves a key open that must not be closed yet', async () => {
  const { opened, closed } = limited(2, async (key) => key !== 'a');
  for (const key of ['a', 'b', 'c']) await opened.use(key, nothing);
  expect([closed, opened.keys]).toEqual([['b'], ['a', 'c']]);
});

it('closes a key after its calls, and opens it again for the next', async () => {
  const { opened, closed } = limited(2);
  const first = held();
  const call = opened.use('a', first.call);
  await settle();
  const closing = opened.close('a');
  const next = opened.use('a', nothing);
  await settle();
  expect(closed).toEqual([]);
  first.end();
  await Promise.all([call, closing, next]);
  expect([closed, opened.keys]).toEqual([['a'], ['a']]);
});

it('opens renewed keys again for their next calls, after the running ones', async () => {
  const { opened, closed } = limited(3, async (key) => key !== 'reading');
  const first = held();
  const call = opened.use('busy', first.call);
  for (const key of ['idle', 'reading']) await opened.use(key, nothing);
  const renewed = opened.renew();
  const answered: string[] = [];
  const next = opened.use('busy', nothing).then(() => answered.push('busy'));
  await renewed;
  expect([closed, answered]).toEqual([['idle'], []]);
  first.end();
  await Promise.all([call, next]);
  await opened.use('reading', nothing);
  expect([closed, opened.keys]).toEqual([
    ['idle', 'busy'],
    ['reading', 'busy'],
  ]);
});

it('opens a renewed key again for a call that follows at once', async () => {
  const { opened, closed } = limited(1, async () => true);
  await opened.use('a', nothing);
  void opened.renew();
  await opened.use('a', async () => closed.push('called'));
  expect(closed).toEqual(['a', 'called']);
});

it('closes quiet keys except the last ones and those that may not be closed', async () => {
  const { opened, closed } = limited(8, async (key) => key !== 'b');
  for (const key of ['a', 'b', 'c', 'd', 'e']) await opened.use(key, nothing);
  const used = held();
  const call = opened.use('a', used.call);
  await opened.closeQuiet(60_000, 0);
  expect(closed).toEqual([]);
  await opened.closeQuiet(0, 2);
  expect(closed).toEqual(['c']);
  used.end();
  await call;
});
