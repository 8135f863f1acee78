const [I32, V128, NO_RESULT, FUNCTION] = [0x7f, 0x7b, 0x40, 0x60];

// Instructions, as the WebAssembly specification numbers them (sections 5.4.1 to 5.4.8).
export const block = [0x02, NO_RESULT];
export const loop = [0x03, NO_RESULT];
export const end = [0x0b];
export const leave = (depth: number) => [0x0c, depth];
export const leaveIf = (depth: number) => [0x0d, depth];
export const get = (local: number) => [0x20, local];
export const set = (local: number) => [0x21, local];
export const tee = (local: number) => [0x22, local];
export const word = (value: number) => [0x41, ...signedNumber(value)];
export const isZero = [0x45];
export const isLess = [0x49];
export const add = [0x6a];
export const subtract = [0x6b];
export const multiply = [0x6c];
export const loadWord = (offset: number) => [0x28, 2, ...number(offset)];
export const loadFloat = (offset: number) => [0x2a, 2, ...number(offset)];
export const storeFloat = (offset: number) => [0x38, 2, ...number(offset)];
export const float = (value: number) => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)];
export const addFloats = [0x92];
export const multiplyFloats = [0x94];
export const divideFloats = [0x95];
export const largerFloat = [0x97];
export const toFloat = [0xb2];
/** Instructions on 16 bytes; `code` is what follows the prefix. */
export const lanes = (code: number, ...immediates: number[]) => [0xfd, ...number(code), ...immediates];
export const loadLanes = (offset: number) => lanes(0x00, 2, ...number(offset));
export const storeLanes = (offset: number) => lanes(0x0b, 2, ...number(offset));
export const zeroLanes = lanes(0x0c, ...new Array<number>(16).fill(0));

/** A local variable plus a small number. */
export const plus = (local: number, value: number) => [...get(local), ...word(value), ...add];
export const advance = (local: number, by: number) => [...plus(local, by), ...set(local)];

/** Whole numbers of a module are LEB128. */
function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)];
}
/** Of numbers that might have a sign, but have none. */
function signedNumber(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signedNumber(value >>> 7)];
}
const sized = (bytes: readonly number[]) => [...number(bytes.length), ...bytes];
const name = (text: string) => sized([...new TextEncoder().encode(text)]);
const section = (id: number, ...entries: number[][]) => [id, ...sized([...number(entries.length), ...entries.flat()])];

/** 64-KiB pages of a WebAssembly memory at most: 4 GiB. */
export const MOST_PAGES = 65_536;

/** A function of whole numbers without a result, and its local variables: parameters first, then words, then lanes. */
interface Kernel {
  parameters: number;
  words: number;
  lanes: number;
  body: readonly number[];
}

/**
 * A function over a shared memory: WebAssembly's arithmetic in lanes is several times as fast as the same loop in JavaScript, and its memory
 * can be shared by threads and grows without becoming slow, which a growable SharedArrayBuffer does not (20 times slower to read, measured
 * on V8 13).
 */
export function wasmKernel(kernel: Kernel): (memory: WebAssembly.Memory) => (...parameters: number[]) => void {
  let compiled: WebAssembly.Module | undefined;
  return (memory) => {
    compiled ??= new WebAssembly.Module(moduleOf(kernel));
    return new WebAssembly.Instance(compiled, { env: { memory } }).exports.run as (...parameters: number[]) => void;
  };
}

function moduleOf({ parameters, words, lanes: nLanes, body }: Kernel): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [FUNCTION, ...sized(new Array<number>(parameters).fill(I32)), 0]),
    // A shared memory with a limit.
    ...section(2, [...name('env'), ...name('memory'), 0x02, 0x03, ...number(1), ...number(MOST_PAGES)]),
    ...section(3, [0]),
    ...section(7, [...name('run'), 0x00, 0]),
    ...section(10, sized([2, words, I32, nLanes, V128, ...body, ...end])),
  ]);
}
