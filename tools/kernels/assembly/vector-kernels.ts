/**
 * Kernels over a shared memory: inner products of vectors, and codes of one byte per component. WebAssembly's 128-bit lanes are several times
 * as fast as the same loop in JavaScript. Pointers are byte addresses. Four vectors are compared at once: each part of the query is read once
 * for all four, and the processor waits for four places in memory at the same time.
 */

/** Number of bytes at the end of a code; the first four are its scale. */
const SCALE_BYTES: usize = 16;
/** Number of codes that are fetched together: few enough for the nearest cache. */
const FETCHED_ROWS: u32 = 32;
/** Size of a cache line. */
const LINE_BYTES: usize = 64;
/** Size of a float32 or a u32. */
const WORD: usize = 4;
/** Maximum value of a component in a code of one byte per component. */
const MAX_CODE: f32 = 127;

@inline
function sumOfFloats(lanes: v128): f32 {
  return (
    f32x4.extract_lane(lanes, 0) +
    f32x4.extract_lane(lanes, 1) +
    f32x4.extract_lane(lanes, 2) +
    f32x4.extract_lane(lanes, 3)
  );
}

@inline
function sumOfWords(lanes: v128): i32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}

/** Adds the products of four components of float32. */
@inline
function addProducts(sum: v128, vector: usize, part: v128): v128 {
  return f32x4.add(sum, f32x4.mul(v128.load(vector), part));
}

/** Adds the products of eight components: bytes of a code with 16-bit components of the query. */
@inline
function addCodeProducts(sum: v128, code: usize, part: v128): v128 {
  return i32x4.add(sum, i32x4.dot_i16x8_s(v128.load_ext<i8>(code), part));
}

/**
 * Computes inner products of a query with vectors of float32: out[i] = query · vector at base + rows[i] × bytes.
 * @param n Number of rows.
 * @param bytes Size of a vector in bytes, a multiple of 64.
 */
export function dotProducts(query: usize, rows: usize, n: u32, base: usize, bytes: usize, out: usize): void {
  for (; n >= 4; n -= 4) {
    let a: usize = base + load<u32>(rows, 0) * bytes;
    let b: usize = base + load<u32>(rows, 4) * bytes;
    let c: usize = base + load<u32>(rows, 8) * bytes;
    let d: usize = base + load<u32>(rows, 12) * bytes;
    let sumA = f32x4.splat(0);
    let sumB = f32x4.splat(0);
    let sumC = f32x4.splat(0);
    let sumD = f32x4.splat(0);
    const end = a + bytes;
    let at = query;
    do {
      const first = v128.load(at);
      sumA = addProducts(sumA, a, first);
      sumB = addProducts(sumB, b, first);
      sumC = addProducts(sumC, c, first);
      sumD = addProducts(sumD, d, first);
      const second = v128.load(at, 16);
      sumA = addProducts(sumA, a + 16, second);
      sumB = addProducts(sumB, b + 16, second);
      sumC = addProducts(sumC, c + 16, second);
      sumD = addProducts(sumD, d + 16, second);
      at += 32;
      a += 32;
      b += 32;
      c += 32;
      d += 32;
    } while (a < end);
    store<f32>(out, sumOfFloats(sumA), 0);
    store<f32>(out, sumOfFloats(sumB), 4);
    store<f32>(out, sumOfFloats(sumC), 8);
    store<f32>(out, sumOfFloats(sumD), 12);
    rows += 16;
    out += 16;
  }
  for (; n > 0; n -= 1) {
    let vector: usize = base + load<u32>(rows) * bytes;
    // Four sums, because each addition waits for the one before.
    let sumA = f32x4.splat(0);
    let sumB = f32x4.splat(0);
    let sumC = f32x4.splat(0);
    let sumD = f32x4.splat(0);
    const end = vector + bytes;
    let at = query;
    do {
      sumA = addProducts(sumA, vector, v128.load(at));
      sumB = addProducts(sumB, vector + 16, v128.load(at, 16));
      sumC = addProducts(sumC, vector + 32, v128.load(at, 32));
      sumD = addProducts(sumD, vector + 48, v128.load(at, 48));
      at += 64;
      vector += 64;
    } while (vector < end);
    store<f32>(out, sumOfFloats(f32x4.add(f32x4.add(sumA, sumB), f32x4.add(sumC, sumD))));
    rows += 4;
    out += 4;
  }
}

/**
 * Computes inner products of a query with 16-bit components, followed by its scale, with codes from `encode`:
 * out[i] = query · code at base + rows[i] × bytes.
 * @param n Number of rows.
 * @param bytes Size of a code in bytes, including its scale; a multiple of 32 without it.
 */
export function codeProducts(query: usize, rows: usize, n: u32, base: usize, bytes: usize, out: usize): void {
  while (n > 0) {
    const some = min<u32>(n, FETCHED_ROWS);
    fetchCodes(rows, some, base, bytes);
    productsOfFetched(query, rows, some, base, bytes, out);
    n -= some;
    rows += some * 4;
    out += some * 4;
  }
}

/**
 * Reads one word of each cache line of some codes. These reads do not wait for each other, so the processor fetches many lines from memory at
 * the same time, and the products find them in the cache. Compilers keep the reads although nothing uses the words: a read may trap.
 */
function fetchCodes(rows: usize, n: u32, base: usize, bytes: usize): void {
  for (; n > 0; n -= 1) {
    const code = base + load<u32>(rows) * bytes;
    for (let at = code; at < code + bytes; at += LINE_BYTES) load<u32>(at);
    rows += 4;
  }
}

function productsOfFetched(query: usize, rows: usize, n: u32, base: usize, bytes: usize, out: usize): void {
  const width = bytes - SCALE_BYTES;
  for (; n >= 4; n -= 4) {
    let a: usize = base + load<u32>(rows, 0) * bytes;
    let b: usize = base + load<u32>(rows, 4) * bytes;
    let c: usize = base + load<u32>(rows, 8) * bytes;
    let d: usize = base + load<u32>(rows, 12) * bytes;
    let sumA = i32x4.splat(0);
    let sumB = i32x4.splat(0);
    let sumC = i32x4.splat(0);
    let sumD = i32x4.splat(0);
    const end = a + width;
    let at = query;
    do {
      const first = v128.load(at);
      sumA = addCodeProducts(sumA, a, first);
      sumB = addCodeProducts(sumB, b, first);
      sumC = addCodeProducts(sumC, c, first);
      sumD = addCodeProducts(sumD, d, first);
      const second = v128.load(at, 16);
      sumA = addCodeProducts(sumA, a + 8, second);
      sumB = addCodeProducts(sumB, b + 8, second);
      sumC = addCodeProducts(sumC, c + 8, second);
      sumD = addCodeProducts(sumD, d + 8, second);
      const third = v128.load(at, 32);
      sumA = addCodeProducts(sumA, a + 16, third);
      sumB = addCodeProducts(sumB, b + 16, third);
      sumC = addCodeProducts(sumC, c + 16, third);
      sumD = addCodeProducts(sumD, d + 16, third);
      const fourth = v128.load(at, 48);
      sumA = addCodeProducts(sumA, a + 24, fourth);
      sumB = addCodeProducts(sumB, b + 24, fourth);
      sumC = addCodeProducts(sumC, c + 24, fourth);
      sumD = addCodeProducts(sumD, d + 24, fourth);
      at += 64;
      a += 32;
      b += 32;
      c += 32;
      d += 32;
    } while (a < end);
    // The scales follow the components.
    const scale = load<f32>(at);
    store<f32>(out, <f32>sumOfWords(sumA) * load<f32>(a) * scale, 0);
    store<f32>(out, <f32>sumOfWords(sumB) * load<f32>(b) * scale, 4);
    store<f32>(out, <f32>sumOfWords(sumC) * load<f32>(c) * scale, 8);
    store<f32>(out, <f32>sumOfWords(sumD) * load<f32>(d) * scale, 12);
    rows += 16;
    out += 16;
  }
  for (; n > 0; n -= 1) {
    let code: usize = base + load<u32>(rows) * bytes;
    let sum = i32x4.splat(0);
    const end = code + width;
    let at = query;
    do {
      sum = addCodeProducts(sum, code, v128.load(at));
      sum = addCodeProducts(sum, code + 8, v128.load(at, 16));
      sum = addCodeProducts(sum, code + 16, v128.load(at, 32));
      sum = addCodeProducts(sum, code + 24, v128.load(at, 48));
      at += 64;
      code += 32;
    } while (code < end);
    store<f32>(out, <f32>sumOfWords(sum) * load<f32>(code) * load<f32>(at));
    rows += 4;
    out += 4;
  }
}

/**
 * Scalar quantisation: one byte per component, scaled by the largest component of each vector. For unit vectors of 512 components, products
 * are off by about 0.0005.
 * @param n Number of vectors.
 * @param vectorBytes Bytes of a vector of float32, a multiple of 128.
 * @param bytes Bytes of a code with its scale.
 */
export function encode(vectors: usize, n: u32, vectorBytes: usize, codes: usize, bytes: usize): void {
  for (; n > 0; n -= 1) {
    const end = vectors + vectorBytes;
    const scale = largestOf(vectors, end) / MAX_CODE;
    store<f32>(codes + bytes - SCALE_BYTES, scale);
    // A vector of zeros has the scale 0: 0 / 0 is NaN, which saturating truncation converts to 0.
    const steps = f32x4.splat(<f32>1 / scale);
    let out = codes;
    for (let at = vectors; at < end; at += 64) {
      const low = i16x8.narrow_i32x4_s(code(at, steps), code(at + 16, steps));
      const high = i16x8.narrow_i32x4_s(code(at + 32, steps), code(at + 48, steps));
      v128.store(out, i8x16.narrow_i16x8_s(low, high));
      out += 16;
    }
    vectors += vectorBytes;
    codes += bytes;
  }
}

/** Writes the vector of a code from `encode` as float32. @param bytes Bytes of the code with its scale. */
export function decode(code: usize, bytes: usize, out: usize): void {
  const end = code + bytes - SCALE_BYTES;
  const scale = f32x4.splat(load<f32>(end));
  for (; code < end; code += 8) {
    storeWords(v128.load_ext<i8>(code), scale, out);
    out += 32;
  }
}

/**
 * Adds the vectors of codes from `encode`, at base + rows[i] × bytes, to one of float32.
 * @param n Number of rows.
 * @param bytes Bytes of a code with its scale.
 */
export function addCodes(sum: usize, rows: usize, n: u32, base: usize, bytes: usize): void {
  while (n > 0) {
    const some = min<u32>(n, FETCHED_ROWS);
    fetchCodes(rows, some, base, bytes);
    n -= some;
    for (const end = rows + some * 4; rows < end; rows += 4) addCode(sum, base + load<u32>(rows) * bytes, bytes);
  }
}

function addCode(sum: usize, code: usize, bytes: usize): void {
  const end = code + bytes - SCALE_BYTES;
  const scale = f32x4.splat(load<f32>(end));
  for (; code < end; code += 8) {
    const words = v128.load_ext<i8>(code);
    v128.store(sum, f32x4.add(v128.load(sum), lowWords(words, scale)));
    v128.store(sum, f32x4.add(v128.load(sum, 16), highWords(words, scale)), 16);
    sum += 32;
  }
}

/**
 * Scalar quantisation with two bytes per component.
 * @param bytes Bytes of the code with its scale; without it, twice the number of components.
 * @param most Value of the largest component.
 */
export function encodeWords(vector: usize, words: usize, bytes: usize, most: f32): void {
  const end = words + bytes - SCALE_BYTES;
  const scale = largestOf(vector, vector + (bytes - SCALE_BYTES) * 2) / most;
  store<f32>(end, scale);
  const steps = f32x4.splat(<f32>1 / scale);
  for (; words < end; words += 16) {
    v128.store(words, i16x8.narrow_i32x4_s(code(vector, steps), code(vector + 16, steps)));
    vector += 32;
  }
}

/** Writes a vector of `encodeWords` as float32. */
export function decodeWords(code: usize, bytes: usize, out: usize): void {
  const end = code + bytes - SCALE_BYTES;
  const scale = f32x4.splat(load<f32>(end));
  for (; code < end; code += 16) {
    storeWords(v128.load(code), scale, out);
    out += 32;
  }
}

/** Copies bytes, a multiple of 32. JavaScript copies within a shared memory word by word. */
export function copyBytes(from: usize, to: usize, bytes: usize): void {
  for (const end = from + bytes; from < end; from += 32) {
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
    to += 32;
  }
}

/**
 * Copies four parts of a vector to one place, each of a multiple of 16 bytes. The parts are read side by side: the processor then waits for
 * four places in memory at the same time.
 */
export function joinParts(a: usize, b: usize, c: usize, d: usize, bytes: usize, out: usize): void {
  for (const end = a + bytes; a < end; a += 16) {
    v128.store(out, v128.load(a));
    v128.store(out + bytes, v128.load(b));
    v128.store(out + 2 * bytes, v128.load(c));
    v128.store(out + 3 * bytes, v128.load(d));
    out += 16;
    b += 16;
    c += 16;
    d += 16;
  }
}

/** Adds a vector of float32 to another. @param bytes Size of a vector, a multiple of 16. */
export function addVector(sum: usize, vector: usize, bytes: usize): void {
  for (const end = sum + bytes; sum < end; sum += 16) {
    v128.store(sum, f32x4.add(v128.load(sum), v128.load(vector)));
    vector += 16;
  }
}

@inline
function code(at: usize, steps: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(at), steps)));
}

/** Writes eight 16-bit components as float32. */
@inline
function storeWords(words: v128, scale: v128, out: usize): void {
  v128.store(out, lowWords(words, scale));
  v128.store(out, highWords(words, scale), 16);
}

@inline
function lowWords(words: v128, scale: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(words)), scale);
}

@inline
function highWords(words: v128, scale: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(words)), scale);
}

/** Largest absolute value of the components of a vector. */
function largestOf(at: usize, end: usize): f32 {
  let largest = f32x4.splat(0);
  for (; at < end; at += 16) largest = f32x4.pmax(largest, f32x4.abs(v128.load(at)));
  return max<f32>(
    max<f32>(f32x4.extract_lane(largest, 0), f32x4.extract_lane(largest, 1)),
    max<f32>(f32x4.extract_lane(largest, 2), f32x4.extract_lane(largest, 3)),
  );
}

/**
 * Computes Hamming distances: out[i], a u32, is the number of bits in which a descriptor of 32 bytes differs from the i-th of n
 * descriptors.
 */
export function differingBits(description: usize, descriptions: usize, n: u32, out: usize): void {
  const first = v128.load(description);
  const second = v128.load(description, 16);
  for (; n > 0; n -= 1) {
    const low = bitsPerWord(v128.xor(first, v128.load(descriptions)));
    const high = bitsPerWord(v128.xor(second, v128.load(descriptions, 16)));
    store<u32>(out, sumOfWords(i32x4.add(low, high)));
    descriptions += 32;
    out += 4;
  }
}

/** Returns the number of set bits in each 32-bit word. */
@inline
function bitsPerWord(lanes: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(lanes)));
}

/**
 * Selects the k best of n scores, best first, equal scores in their order.
 * @param best Scores of the best, and their places among all scores; k words each.
 * @returns How many there are.
 */
export function bestOf(scores: usize, n: u32, k: u32, best: usize, places: usize): u32 {
  let found: u32 = 0;
  let bar = -Infinity as f32;
  const last = (k - 1) * WORD;
  const whole = n & ~3;
  for (let place: u32 = 0; place < whole; place += 4) {
    const four = v128.load(scores + place * WORD);
    // Most scores are not among the best.
    if (!v128.any_true(f32x4.gt(four, f32x4.splat(bar)))) continue;
    for (let nth: u32 = place; nth < place + 4; nth += 1) {
      const score = load<f32>(scores + nth * WORD);
      if (score <= bar) continue;
      found = insertBest(score, nth, found, k, best, places);
      if (found === k) bar = load<f32>(best + last);
    }
  }
  for (let place = whole; place < n; place += 1) {
    const score = load<f32>(scores + place * WORD);
    if (score <= bar) continue;
    found = insertBest(score, place, found, k, best, places);
    if (found === k) bar = load<f32>(best + last);
  }
  return found;
}

/** Inserts a score behind those that are at least as high; the last of k drops out. @returns The number of scores. */
@inline
function insertBest(score: f32, place: u32, found: u32, k: u32, best: usize, places: usize): u32 {
  const n = min<u32>(found + 1, k);
  let at: u32 = n - 1;
  for (; at > 0 && load<f32>(best + (at - 1) * WORD) < score; at -= 1) {
    store<f32>(best + at * WORD, load<f32>(best + (at - 1) * WORD));
    store<u32>(places + at * WORD, load<u32>(places + (at - 1) * WORD));
  }
  store<f32>(best + at * WORD, score);
  store<u32>(places + at * WORD, place);
  return n;
}

/**
 * Selects the places of scores that are at least `bar`, or at least the bar of their place.
 * @param bars n of them.
 * @param out n words for the places, which are ascending.
 * @returns How many there are.
 */
export function placesFrom(scores: usize, bars: usize, n: u32, bar: f32, out: usize): u32 {
  const lanes = f32x4.splat(bar);
  const from = out;
  const whole = n & ~3;
  for (let place: u32 = 0; place < whole; place += 4) {
    const four = v128.load(scores + place * WORD);
    const isNear = v128.or(f32x4.ge(four, lanes), f32x4.ge(four, v128.load(bars + place * WORD)));
    for (let mask = i32x4.bitmask(isNear); mask !== 0; mask &= mask - 1) {
      store<u32>(out, place + ctz<i32>(mask));
      out += WORD;
    }
  }
  for (let place = whole; place < n; place += 1) {
    const score = load<f32>(scores + place * WORD);
    if (score < bar && score < load<f32>(bars + place * WORD)) continue;
    store<u32>(out, place);
    out += WORD;
  }
  return <u32>((out - from) / WORD);
}
