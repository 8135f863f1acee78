import { createHash } from 'node:crypto';
import { SPLITS, type SplitName } from '../../contract/schemas/export.ts';
import type { Split } from '../../core/ports/exports.ts';

/**
 * Divides rows into sets; rows of one group stay together. Groups are ordered by size, largest first, then by a hash of the seed. Each
 * group
 * goes to the set that lacks most rows, so that the shares are met as closely as groups allow.
 * @param tiedTo For each row the row that identifies its group; -1 for rows that do not exist.
 */
export function splitRows(tiedTo: Int32Array, { shares, seed }: Split): (row: number) => SplitName | null {
  const sizes = new Int32Array(tiedTo.length);
  for (const group of tiedTo) if (group >= 0) sizes[group] = (sizes[group] as number) + 1;
  const groups = Array.from(sizes.keys()).filter((row) => (sizes[row] as number) > 0);
  const places = new Float64Array(tiedTo.length);
  for (const group of groups) places[group] = place(seed, group);
  groups.sort((a, b) => (sizes[b] as number) - (sizes[a] as number) || (places[a] as number) - (places[b] as number));

  const total = groups.reduce((sum, group) => sum + (sizes[group] as number), 0);
  const lacks = SPLITS.map((name) => shares[name] * total);
  const setOf = new Int8Array(tiedTo.length).fill(-1);
  for (const group of groups) {
    const set = lacks.indexOf(Math.max(...lacks));
    setOf[group] = set;
    lacks[set] = (lacks[set] as number) - (sizes[group] as number);
  }
  return (row) => SPLITS[setOf[tiedTo[row] ?? -1] ?? -1] ?? null;
}

/** A hash from 0 to 2^48, evenly distributed and the same on every machine. */
function place(seed: number, group: number): number {
  return createHash('sha1').update(`${seed}:${group}`).digest().readUIntBE(0, 6);
}
