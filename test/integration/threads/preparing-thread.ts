import { ENOUGH, serveThread } from '../../../src-main/infra/threads/serve-thread.ts';

/** A thread that makes pieces ahead of some calls: as many before an answer as are asked for, and as many after it. */
let nMade = 0;

function* make(nBefore: number, nAfter: number): Generator<unknown> {
  for (let nth = 0; nth < nBefore; nth += 1) {
    nMade += 1;
    yield;
  }
  yield ENOUGH;
  for (let nth = 0; nth < nAfter; nth += 1) {
    nMade += 1;
    yield;
  }
}

export class Prepared {
  prepared(_nBefore: number, _nAfter: number): number {
    return nMade;
  }

  made(): number {
    return nMade;
  }
}

serveThread({
  methods: () => [new Prepared()],
  inOrder: true,
  ahead: (method, args) => (method === 'prepared' ? make(Number(args[0]), Number(args[1])) : undefined),
});
