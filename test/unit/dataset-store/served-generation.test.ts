import { expect, it } from 'vitest';
import {
  ENOUGH,
  type GenerationConnection,
  ServedGeneration,
} from '../../../src-main/infra/dataset-store/thread/served-generation.ts';

/** Simulates a generation whose vectors are searched by a remote engine. The test decides when the engine responds. */
function generation() {
  const engine = Promise.withResolvers<string>();
  const state = { nOpen: 0, nOpened: 0, nChunks: 0, held: new Set<number>() };
  const open = (): GenerationConnection => {
    const nth = state.nOpened;
    state.nOpen += 1;
    state.nOpened += 1;
    const atOneMoment = async (work: () => unknown) => {
      if (state.held.has(nth)) throw new Error('two transactions on one connection');
      state.held.add(nth);
      try {
        return await work();
      } finally {
        state.held.delete(nth);
      }
    };
    return {
      call: (method, args) =>
        atOneMoment(() => (method === 'search' ? engine.promise : `${method} ${args.join(' ')}`.trim())),
      mayWait: (method) => ['search', 'asking', 'prepared'].includes(method),
      atOneMoment,
      prepare: (method, [nBefore, nAfter]) => {
        if (method === 'asking') return asking();
        return method === 'prepared' ? chunks(Number(nBefore), Number(nAfter)) : undefined;
      },
      close: () => {
        state.nOpen -= 1;
      },
    };
  };
  async function* asking(): AsyncGenerator<unknown> {
    await engine.promise;
    yield ENOUGH;
  }
  async function* chunks(nBefore: number, nAfter: number): AsyncGenerator<unknown> {
    for (let nth = 0; nth < nBefore; nth += 1) {
      state.nChunks += 1;
      yield;
    }
    yield ENOUGH;
    for (let nth = 0; nth < nAfter; nth += 1) {
      state.nChunks += 1;
      yield;
    }
  }
  return { served: new ServedGeneration(open), engine, state };
}

it('answers other reads while one waits for a remote engine, each in a transaction of its own', async () => {
  const { served, engine, state } = generation();
  const answered: unknown[] = [];
  const note = (answer: unknown) => answered.push(answer);
  const search = served.read('search', []).then(note);
  await Promise.all(['a', 'b', 'c'].map((name) => served.read('item', [name]).then(note)));
  expect(answered).toEqual(['item a', 'item b', 'item c']);
  expect(state.nOpened).toBe(2);
  engine.resolve('found');
  await search;
  expect(answered.at(-1)).toBe('found');
  await served.close();
  expect(state.nOpen).toBe(0);
});

it('answers other reads while the needs of one wait for a remote engine', async () => {
  const { served, engine, state } = generation();
  const asking = served.read('asking', []);
  expect(await served.read('item', ['a'])).toBe('item a');
  engine.resolve('found');
  expect(await asking).toBe('asking');
  await served.close();
  expect(state.nOpen).toBe(0);
});

it('opens a bounded number of connections, however many reads wait', async () => {
  const { served, engine, state } = generation();
  const searches = Array.from({ length: 9 }, () => served.read('search', []));
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.nOpened).toBe(3);
  engine.resolve('found');
  expect(new Set(await Promise.all(searches))).toEqual(new Set(['found']));
});

it('answers local reads, however many reads wait for a remote engine', async () => {
  const { served, engine, state } = generation();
  const searches = Array.from({ length: 9 }, () => served.read('search', []));
  const asking = Array.from({ length: 9 }, () => served.read('asking', []));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await Promise.all([served.read('item', ['a']), served.read('item', ['b'])])).toEqual(['item a', 'item b']);
  expect(state.nOpened).toBe(4);
  engine.resolve('found');
  expect(new Set(await Promise.all(searches))).toEqual(new Set(['found']));
  expect(new Set(await Promise.all(asking))).toEqual(new Set(['asking']));
  await served.close();
  expect(state.nOpen).toBe(0);
});

it('keeps to one connection while no read waits', async () => {
  const { served, state } = generation();
  for (let nth = 0; nth < 20; nth += 1) await served.read('item', []);
  expect(state.nOpened).toBe(1);
});

it('answers a call once its needs are loaded, other calls meanwhile, and loads the rest afterwards', async () => {
  const { served, state } = generation();
  const answered: string[] = [];
  const prepared = served.read('prepared', [5, 7]).then(() => {
    answered.push('prepared');
    expect(state.nChunks).toBe(5);
  });
  await served.read('item', []).then(() => answered.push('item'));
  await prepared;
  expect(answered).toEqual(['item', 'prepared']);
  await expect.poll(() => state.nChunks).toBe(12);
});

it('continues to prepare when a waiting read took its connection', async () => {
  const { served, engine } = generation();
  const prepared = served.read('prepared', [5, 0]);
  await Promise.resolve();
  const search = served.read('search', []);
  expect(await prepared).toBe('prepared 5 0');
  engine.resolve('found');
  expect(await search).toBe('found');
});

it('closes while chunks remain that no call waits for', async () => {
  const { served, state } = generation();
  await served.read('prepared', [2, Number.POSITIVE_INFINITY]);
  await expect.poll(() => state.nChunks).toBeGreaterThan(10);
  await served.close();
  const { nChunks } = state;
  await new Promise((resolve) => setImmediate(resolve));
  expect([state.nOpen, state.nChunks]).toEqual([0, nChunks]);
});
