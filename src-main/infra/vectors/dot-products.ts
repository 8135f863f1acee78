import {
  add,
  addFloats,
  BYTES,
  EVEN,
  end,
  get,
  isLess,
  leaveIf,
  loadLanes,
  loop,
  ODD,
  OFFSET,
  POINTER,
  QUERY,
  scoreKernel,
  set,
  tee,
  word,
} from './score-kernel.ts';

const addLanes = [0xfd, 0xe4, 0x01];
const multiplyLanes = [0xfd, 0xe6, 0x01];
const lane = (index: number) => [0xfd, 0x1f, index];

/** sum += the lanes of both vectors at the offset, `half` bytes on. */
const accumulate = (sum: number, half: number) => [
  ...get(sum),
  ...[...get(POINTER), ...get(OFFSET), ...add, ...loadLanes(half)],
  ...[...get(QUERY), ...get(OFFSET), ...add, ...loadLanes(half)],
  ...multiplyLanes,
  ...addLanes,
  ...set(sum),
];

/** Inner products of vectors of float32, of a multiple of 32 bytes. */
export const dotProductsOver = scoreKernel([
  ...loop,
  ...accumulate(EVEN, 0),
  ...accumulate(ODD, 16),
  ...[...get(OFFSET), ...word(32), ...add, ...tee(OFFSET), ...get(BYTES), ...isLess, ...leaveIf(0)],
  ...end,
  ...[...get(EVEN), ...get(ODD), ...addLanes, ...tee(EVEN), ...lane(0)],
  ...[1, 2, 3].flatMap((index) => [...get(EVEN), ...lane(index), ...addFloats]),
]);
