import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import type { CandidatePair } from '../../core/ports/duplicates.ts';

const MAGIC = 0x56445031;
const [HEAD_BYTES, PAIR_BYTES] = [4, 12];
const [IS_MIRRORED, IS_ALIGNED] = [1, 2];
const PAIRS_AT_ONCE = 8192;

/** Writes candidate pairs. Layout, int32 little endian: magic, then for each pair the two rows and its marks. */
export function writeCandidates(file: string, pairs: Iterable<CandidatePair>): void {
  const partial = `${file}.partial`;
  const target = openSync(partial, 'w');
  try {
    writeSync(target, new Uint8Array(Int32Array.of(MAGIC).buffer));
    const page = new Int32Array(PAIRS_AT_ONCE * 3);
    let n = 0;
    const flush = () => {
      const bytes = new Uint8Array(page.buffer, 0, n * PAIR_BYTES);
      for (let done = 0; done < bytes.length; ) done += writeSync(target, bytes, done, bytes.length - done);
      n = 0;
    };
    for (const { a, b, is_mirrored, is_aligned } of pairs) {
      page.set([a, b, (is_mirrored ? IS_MIRRORED : 0) | (is_aligned ? IS_ALIGNED : 0)], n * 3);
      n += 1;
      if (n === PAIRS_AT_ONCE) flush();
    }
    flush();
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
  renameSync(partial, file);
}

/** Reads some pairs of a file. @throws Error when it is not a file of candidates. */
export function readCandidates(file: string, first: number, limit: number): { pairs: CandidatePair[]; total: number } {
  const opened = openSync(file, 'r');
  try {
    const total = (fstatSync(opened).size - HEAD_BYTES) / PAIR_BYTES;
    const head = new Int32Array(1);
    readSync(opened, new Uint8Array(head.buffer), 0, HEAD_BYTES, 0);
    if (head[0] !== MAGIC || !Number.isInteger(total)) throw new Error('not a file of candidates');
    const values = new Int32Array(Math.max(0, Math.min(limit, total - first)) * 3);
    readSync(opened, new Uint8Array(values.buffer), 0, values.byteLength, HEAD_BYTES + first * PAIR_BYTES);
    const pairs = Array.from({ length: values.length / 3 }, (_, nth): CandidatePair => {
      const [a = 0, b = 0, marks = 0] = values.subarray(nth * 3, nth * 3 + 3);
      return { a, b, is_mirrored: (marks & IS_MIRRORED) !== 0, is_aligned: (marks & IS_ALIGNED) !== 0 };
    });
    return { pairs, total };
  } finally {
    closeSync(opened);
  }
}
