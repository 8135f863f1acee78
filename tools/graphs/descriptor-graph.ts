import {
  COLOUR_CELLS,
  COLOUR_CHANNELS,
  DCT_SIDE,
  DESCRIPTOR_DIM,
  DESCRIPTOR_ID,
  DESCRIPTOR_INPUT_NAME,
  DESCRIPTOR_INPUT_PX,
  DESCRIPTOR_OUTPUT_NAME,
  HOG_BINS,
  HOG_CELLS,
  TAIL_VALUES,
} from '../../src-main/infra/inference/descriptor-shape.ts';
import { buildOnnxModel, type OnnxAttribute, type OnnxInitializer, type OnnxNode } from './onnx-writer.ts';

const FINE_PX = 64;
const COARSE_PX = 32;

/** Gradient histograms have 7×7 cells of 6 unsigned orientations (294 values). The coarse scale is more robust and counts double. */
const HOG_COARSE_WEIGHT = 2;
/** Gradients below this are far less than one grey level and have no reliable orientation. */
const GRADIENT_FLOOR = 0.002;

/** Low-frequency structure: 12×12 DCT coefficients of the luma, without the constant one (143 values). */
const DCT_POWER = 0.2;
/** Coefficients below this are noise and stay linear, so that noise in a flat image is not amplified. */
const DCT_FLOOR = 0.03;
const DCT_WEIGHT = 0.6;

/** Colour layout: 4×4 cells of Oklab (48 values). Chroma is absolute, so greyscale copies stay near their original. */
const LIGHTNESS_WEIGHT = 0.3;
const LIGHTNESS_MIDDLE = 0.6;
const CHROMA_WEIGHT = 1;

/** Constant tail: gives a uniformly grey image, whose blocks are all zero, a direction. */
const TAIL = 0.03;

/** Norm below which a block fades out instead of being scaled to unit length. */
const BLOCK_FLOOR = 0.05;

/** Collects nodes and constants; every call returns the name of the created tensor. */
class Graph {
  readonly nodes: OnnxNode[] = [];
  readonly initializers: OnnxInitializer[] = [];

  constant(name: string, dims: readonly number[], data: readonly number[]): string {
    this.initializers.push({ name, type: 'float32', dims, data });
    return name;
  }

  integers(name: string, data: readonly number[]): string {
    this.initializers.push({ name, type: 'int64', dims: [data.length], data });
    return name;
  }

  scalar(value: number): string {
    const name = `scalar_${value}`;
    return this.initializers.some((known) => known.name === name) ? name : this.constant(name, [], [value]);
  }

  node(op: string, output: string, inputs: readonly string[], attributes: Record<string, OnnxAttribute> = {}): string {
    this.nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  }
}

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** Returns rows of overlapping triangular windows that average `pixels` values into `cells` (soft binning in space, as in HOG). */
function cellWindows(cells: number, pixels: number): number[] {
  const step = pixels / cells;
  return range(cells).flatMap((cell) => {
    const centre = (cell + 0.5) * step - 0.5;
    const row = range(pixels).map((pixel) => Math.max(0, 1 - Math.abs(pixel - centre) / step));
    const sum = row.reduce((total, value) => total + value, 0);
    return row.map((value) => value / sum);
  });
}

/** Returns the first `rows` rows of the orthonormal DCT-II of `size` values. */
function dctRows(rows: number, size: number): number[] {
  return range(rows).flatMap((row) =>
    range(size).map((column) => {
      const scale = Math.sqrt((row === 0 ? 1 : 2) / size);
      return scale * Math.cos((Math.PI * (column + 0.5) * row) / size);
    }),
  );
}

function transpose(matrix: readonly number[], rows: number, columns: number): number[] {
  return range(columns).flatMap((column) => range(rows).map((row) => matrix[row * columns + column] ?? 0));
}

const convolve = (a: readonly number[], b: readonly number[]): number[] =>
  range(a.length + b.length - 1).map((at) => a.reduce((sum, value, index) => sum + value * (b[at - index] ?? 0), 0));

/** Returns the derivative kernels [d/dx, d/dy]: binomial smoothing of the given radius, then a central difference. */
function gradientKernels(radius: number): { side: number; weights: number[] } {
  const binomial = range(radius).reduce<number[]>((kernel) => convolve(kernel, [0.25, 0.5, 0.25]), [1]);
  const smooth = [0, ...binomial, 0];
  const slope = convolve(binomial, [-0.5, 0, 0.5]);
  const outer = (down: readonly number[], across: readonly number[]) => down.flatMap((y) => across.map((x) => y * x));
  return { side: slope.length, weights: [...outer(smooth, slope), ...outer(slope, smooth)] };
}

/** Adds left × input × leftᵀ over the last two axes: a separable transform of `from`×`from` maps into `to`×`to`. */
function separable(graph: Graph, name: string, input: string, matrix: number[], to: number, from: number): string {
  const left = graph.constant(`${name}_left`, [to, from], matrix);
  const right = graph.constant(`${name}_right`, [from, to], transpose(matrix, to, from));
  const rows = graph.node('MatMul', `${name}_rows`, [left, input]);
  return graph.node('MatMul', `${name}_cells`, [rows, right]);
}

/** Adds x / √(|x|² + floor²), a soft L2 norm (the "L2" block norm of Dalal and Triggs). */
function softNormalise(graph: Graph, name: string, input: string, floor: number): string {
  const energy = graph.node('ReduceSumSquare', `${name}_block_energy`, [input], {
    axes: { ints: [1] },
    keepdims: { int: 1 },
  });
  const floored = graph.node('Add', `${name}_block_floored`, [energy, graph.scalar(floor * floor)]);
  const norm = graph.node('Sqrt', `${name}_block_norm`, [floored]);
  return graph.node('Div', `${name}_block`, [input, norm]);
}

/** Flattens to [N, length]; a 0 in the shape keeps the batch dimension. */
function flatten(graph: Graph, name: string, input: string, length: number): string {
  const shape = graph.integers(`${name}_shape`, [0, length]);
  return graph.node('Reshape', `${name}_flat`, [input, shape]);
}

function averagePool(graph: Graph, name: string, input: string, factor: number): string {
  return graph.node('AveragePool', name, [input], {
    kernel_shape: { ints: [factor, factor] },
    strides: { ints: [factor, factor] },
  });
}

/** Adds the orientation energy of one scale, averaged into cells: [N, HOG_BINS, HOG_CELLS, HOG_CELLS]. */
function orientationCells(graph: Graph, name: string, luma: string, size: number, radius: number): string {
  const { side, weights } = gradientKernels(radius);
  const margin = (side - 1) / 2;
  const pads = graph.integers(`${name}_pads`, [0, 0, margin, margin, 0, 0, margin, margin]);
  const padded = graph.node('Pad', `${name}_padded`, [luma, pads], { mode: { string: 'edge' } });
  const kernel = graph.constant(`${name}_kernel`, [2, 1, side, side], weights);
  const gradient = graph.node('Conv', `${name}_gradient`, [padded, kernel]);
  graph.nodes.push({
    op: 'Split',
    inputs: [gradient],
    outputs: [`${name}_dx`, `${name}_dy`],
    attributes: { axis: { int: 1 } },
  });
  const [dx, dy] = [`${name}_dx`, `${name}_dy`];
  const dx2 = graph.node('Mul', `${name}_dx2`, [dx, dx]);
  const dy2 = graph.node('Mul', `${name}_dy2`, [dy, dy]);
  const sum = graph.node('Add', `${name}_sum`, [dx2, dy2]);
  const floored = graph.node('Add', `${name}_sum_floored`, [sum, graph.scalar(GRADIENT_FLOOR ** 2)]);
  const magnitude = graph.node('Sqrt', `${name}_magnitude`, [floored]);
  // Doubling the angle makes opposite gradients equal: m·cos 2φ = (dx² − dy²)/m and m·sin 2φ = 2·dx·dy/m.
  const difference = graph.node('Sub', `${name}_difference`, [dx2, dy2]);
  const cosine = graph.node('Div', `${name}_cosine`, [difference, magnitude]);
  const product = graph.node('Mul', `${name}_product`, [dx, dy]);
  const sine = graph.node('Div', `${name}_half_sine`, [product, magnitude]);
  const polar = graph.node('Concat', `${name}_polar`, [cosine, sine, magnitude], { axis: { int: 1 } });
  // max(0, cos(2φ − θ) − cos Δ)/(1 − cos Δ): a soft vote for the bins on both sides of the angle, without an arctangent.
  const width = Math.cos((2 * Math.PI) / HOG_BINS);
  const votes = range(HOG_BINS).flatMap((bin) => {
    const angle = (2 * Math.PI * bin) / HOG_BINS;
    return [Math.cos(angle), 2 * Math.sin(angle), -width].map((value) => value / (1 - width));
  });
  const voting = graph.constant(`${name}_votes`, [HOG_BINS, 3, 1, 1], votes);
  const scores = graph.node('Conv', `${name}_scores`, [polar, voting]);
  const bins = graph.node('Relu', `${name}_bins`, [scores]);
  return separable(graph, name, bins, cellWindows(HOG_CELLS, size), HOG_CELLS, size);
}

/** Gradient histogram block: two scales, square root (RootSIFT), each orientation centred over the image. */
function gradientBlock(graph: Graph, fineLuma: string, coarseLuma: string): string {
  const fine = orientationCells(graph, 'fine', fineLuma, FINE_PX, 2);
  const coarse = orientationCells(graph, 'coarse', coarseLuma, COARSE_PX, 1);
  const weighted = graph.node('Mul', 'coarse_weighted', [coarse, graph.scalar(HOG_COARSE_WEIGHT)]);
  const energy = graph.node('Add', 'hog_cells_sum', [fine, weighted]);
  const floored = graph.node('Add', 'hog_cells_floored', [energy, graph.scalar(1e-6)]);
  const rooted = graph.node('Sqrt', 'hog_rooted', [floored]);
  const mean = graph.node('ReduceMean', 'hog_mean', [rooted], { axes: { ints: [2, 3] }, keepdims: { int: 1 } });
  const centred = graph.node('Sub', 'hog_centred', [rooted, mean]);
  const flat = flatten(graph, 'hog', centred, HOG_BINS * HOG_CELLS * HOG_CELLS);
  return softNormalise(graph, 'hog', flat, BLOCK_FLOOR);
}

/** DCT block: signed power normalisation compensates for the 1/f spectrum of natural images. */
function structureBlock(graph: Graph, coarseLuma: string): string {
  const cells = separable(graph, 'dct', coarseLuma, dctRows(DCT_SIDE, COARSE_PX), DCT_SIDE, COARSE_PX);
  const all = flatten(graph, 'dct', cells, DCT_SIDE * DCT_SIDE);
  const start = graph.integers('dct_start', [1]);
  const end = graph.integers('dct_end', [DCT_SIDE * DCT_SIDE]);
  const axis = graph.integers('dct_axis', [1]);
  const varying = graph.node('Slice', 'dct_varying', [all, start, end, axis]);
  const square = graph.node('Mul', 'dct_square', [varying, varying]);
  const floored = graph.node('Add', 'dct_floored', [square, graph.scalar(DCT_FLOOR ** 2)]);
  const gain = graph.node('Pow', 'dct_gain', [floored, graph.scalar((DCT_POWER - 1) / 2)]);
  const powered = graph.node('Mul', 'dct_powered', [varying, gain]);
  const unit = softNormalise(graph, 'dct', powered, BLOCK_FLOOR);
  return graph.node('Mul', 'dct_weighted', [unit, graph.scalar(DCT_WEIGHT)]);
}

/** Colour layout block: sRGB → linear light → cells → Oklab. */
function colourBlock(graph: Graph, rgb: string): string {
  const low = graph.node('Div', 'linear_low', [rgb, graph.scalar(12.92)]);
  const shifted = graph.node('Add', 'linear_shifted', [rgb, graph.scalar(0.055)]);
  const scaled = graph.node('Div', 'linear_scaled', [shifted, graph.scalar(1.055)]);
  const high = graph.node('Pow', 'linear_high', [scaled, graph.scalar(2.4)]);
  const dark = graph.node('Less', 'linear_dark', [rgb, graph.scalar(0.04045)]);
  const linear = graph.node('Where', 'linear', [dark, low, high]);
  const windows = cellWindows(COLOUR_CELLS, COARSE_PX);
  const cells = separable(graph, 'colour', linear, windows, COLOUR_CELLS, COARSE_PX);
  const toCones = graph.constant(
    'oklab_m1',
    [3, 3, 1, 1],
    [
      0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619, 0.2817188376,
      0.6299787005,
    ],
  );
  const cones = graph.node('Conv', 'oklab_cones', [cells, toCones]);
  const rooted = graph.node('Pow', 'oklab_rooted', [cones, graph.scalar(1 / 3)]);
  const weights = [LIGHTNESS_WEIGHT, CHROMA_WEIGHT, CHROMA_WEIGHT];
  const toLab = [
    [0.2104542553, 0.793617785, -0.0040720468],
    [1.9779984951, -2.428592205, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.808675766],
  ].flatMap((row, channel) => row.map((value) => value * (weights[channel] ?? 0)));
  const opponent = graph.constant('oklab_m2', [3, 3, 1, 1], toLab);
  const bias = graph.constant('oklab_bias', [3], [-LIGHTNESS_MIDDLE * LIGHTNESS_WEIGHT, 0, 0]);
  const lab = graph.node('Conv', 'oklab', [rooted, opponent, bias]);
  return flatten(graph, 'colour', lab, COLOUR_CHANNELS * COLOUR_CELLS * COLOUR_CELLS);
}

/**
 * Returns the ONNX bytes of the embedded visual descriptor. It has no trained weights: every constant follows from the formulas here, and the
 * bytes are the same on every run.
 *
 * Input `pixels`: uint8 [N, 128, 128, 3], sRGB, rows top to bottom. Output `descriptor`: float32 [N, 488], L2-normalised; compare
 * by cosine. Made of
 * - gradient histograms with soft votes in angle and space, two scales: Dalal, Triggs, "Histograms of Oriented Gradients for Human
 *   Detection", CVPR 2005; gist-like whole-image layout: Oliva, Torralba, "Modeling the Shape of the Scene", IJCV 42(3), 2001;
 *   square root: Arandjelović, Zisserman, "Three things everyone should know to improve object retrieval", CVPR 2012;
 * - low-frequency DCT of the luma: the luma half of MPEG-7's Colour Layout Descriptor (ISO/IEC 15938-3; Manjunath et al., "Color and
 *   texture descriptors", IEEE TCSVT 11(6), 2001), signed power normalisation: Perronnin, Sánchez, Mensink, ECCV 2010;
 * - colour layout in Oklab: Ottosson, "A perceptual color space for image processing", 2020.
 */
export function buildDescriptorModel(): Uint8Array {
  const graph = new Graph();
  const planes = graph.node('Transpose', 'planes', [DESCRIPTOR_INPUT_NAME], { perm: { ints: [0, 3, 1, 2] } });
  const levels = graph.node('Cast', 'levels', [planes], { to: { int: 1 } });
  const fineLevels = averagePool(graph, 'fine_levels', levels, DESCRIPTOR_INPUT_PX / FINE_PX);
  const coarseLevels = averagePool(graph, 'coarse_levels', fineLevels, FINE_PX / COARSE_PX);
  // ITU-R BT.601 luma weights.
  const toLuma = graph.constant('luma_weights', [1, 3, 1, 1], [0.299 / 255, 0.587 / 255, 0.114 / 255]);
  const fineLuma = graph.node('Conv', 'fine_luma', [fineLevels, toLuma]);
  const coarseLuma = graph.node('Conv', 'coarse_luma', [coarseLevels, toLuma]);
  const rgb = graph.node('Div', 'coarse_rgb', [coarseLevels, graph.scalar(255)]);

  const blocks = [
    gradientBlock(graph, fineLuma, coarseLuma),
    structureBlock(graph, coarseLuma),
    colourBlock(graph, rgb),
  ];
  const joined = graph.node('Concat', 'joined', blocks, { axis: { int: 1 } });
  const tailPads = graph.integers('tail_pads', [0, 0, 0, TAIL_VALUES]);
  const tailed = graph.node('Pad', 'tailed', [joined, tailPads, graph.scalar(TAIL)], { mode: { string: 'constant' } });
  const norm = graph.node('ReduceL2', 'norm', [tailed], { axes: { ints: [1] }, keepdims: { int: 1 } });
  graph.node('Div', DESCRIPTOR_OUTPUT_NAME, [tailed, norm]);

  const side = DESCRIPTOR_INPUT_PX;
  return buildOnnxModel({
    name: DESCRIPTOR_ID,
    opset: 17,
    inputs: [{ name: DESCRIPTOR_INPUT_NAME, type: 'uint8', shape: ['batch', side, side, 3] }],
    outputs: [{ name: DESCRIPTOR_OUTPUT_NAME, type: 'float32', shape: ['batch', DESCRIPTOR_DIM] }],
    initializers: graph.initializers,
    nodes: graph.nodes,
    metadata: { id: DESCRIPTOR_ID, input_px: String(side), dim: String(DESCRIPTOR_DIM) },
  });
}
