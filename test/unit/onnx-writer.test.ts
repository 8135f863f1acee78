import * as ort from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { buildOnnxModel, type OnnxModel } from '../../tools/graphs/onnx-writer.ts';

const search: OnnxModel = {
  name: 'search',
  opset: 17,
  inputs: [{ name: 'query', type: 'float32', shape: ['queries', 2] }],
  outputs: [
    { name: 'scores', type: 'float32', shape: ['queries', 2] },
    { name: 'rows', type: 'int64', shape: ['queries', 2] },
  ],
  initializers: [
    { name: 'vectors', type: 'float32', dims: [2, 3], data: [1, 0, 0.6, 0, 1, 0.8] },
    { name: 'k', type: 'int64', dims: [1], data: [2] },
  ],
  nodes: [
    { op: 'MatMul', inputs: ['query', 'vectors'], outputs: ['products'] },
    {
      op: 'TopK',
      inputs: ['products', 'k'],
      outputs: ['scores', 'rows'],
      attributes: { axis: { int: -1 }, largest: { int: 1 }, sorted: { int: 1 } },
    },
  ],
  metadata: { purpose: 'test' },
};

describe('buildOnnxModel', () => {
  it('builds a MatMul and TopK graph that the runtime loads and computes correctly', async () => {
    const session = await ort.InferenceSession.create(buildOnnxModel(search));
    const query = new ort.Tensor('float32', Float32Array.from([1, 0, 0, 2]), [2, 2]);
    const { scores, rows } = await session.run({ query });
    const found = Array.from(scores?.data as Float32Array);
    [1, 0.6, 2, 1.6].forEach((value, index) => {
      expect(found[index]).toBeCloseTo(value, 6);
    });
    expect(Array.from(rows?.data as BigInt64Array)).toEqual([0n, 2n, 1n, 2n]);
    await session.release();
  });

  it('carries every attribute kind, uint8 inputs and dynamic dimensions', async () => {
    const bytes = buildOnnxModel({
      name: 'attributes',
      opset: 17,
      inputs: [{ name: 'pixels', type: 'uint8', shape: ['n', 1, 2, 2] }],
      outputs: [{ name: 'out', type: 'float32', shape: ['n', 1, 2, 2] }],
      initializers: [{ name: 'slope', type: 'float32', dims: [], data: [2] }],
      nodes: [
        { op: 'Cast', inputs: ['pixels'], outputs: ['floats'], attributes: { to: { int: 1 } } },
        { op: 'Mul', inputs: ['floats', 'slope'], outputs: ['doubled'] },
        {
          op: 'AveragePool',
          inputs: ['doubled'],
          outputs: ['pooled'],
          attributes: { kernel_shape: { ints: [1, 1] }, auto_pad: { string: 'VALID' } },
        },
        { op: 'LeakyRelu', inputs: ['pooled'], outputs: ['out'], attributes: { alpha: { float: 0.5 } } },
      ],
    });
    const session = await ort.InferenceSession.create(bytes);
    const pixels = new ort.Tensor('uint8', Uint8Array.from([0, 1, 128, 255]), [1, 1, 2, 2]);
    const { out } = await session.run({ pixels });
    expect(Array.from(out?.data as Float32Array)).toEqual([0, 2, 256, 510]);
    await session.release();
  });

  it('carries branches that use names of the graph around them', async () => {
    const branch = (name: string, op: string) => ({
      graph: {
        name,
        inputs: [],
        outputs: [{ name: `${name}_out`, type: 'float32' as const, shape: ['n'] }],
        nodes: [{ op, inputs: ['x', 'two'], outputs: [`${name}_out`] }],
      },
    });
    const bytes = buildOnnxModel({
      name: 'branches',
      opset: 17,
      inputs: [
        { name: 'x', type: 'float32', shape: ['n'] },
        { name: 'doubled', type: 'bool', shape: [1] },
      ],
      outputs: [{ name: 'out', type: 'float32', shape: ['n'] }],
      initializers: [{ name: 'two', type: 'float32', dims: [], data: [2] }],
      nodes: [
        {
          op: 'If',
          inputs: ['doubled'],
          outputs: ['out'],
          attributes: { then_branch: branch('yes', 'Mul'), else_branch: branch('no', 'Add') },
        },
      ],
    });
    const session = await ort.InferenceSession.create(bytes);
    const x = new ort.Tensor('float32', Float32Array.from([1, 5]), [2]);
    const run = async (doubled: boolean) =>
      (await session.run({ x, doubled: new ort.Tensor('bool', [doubled], [1]) })).out?.data;
    expect(await run(true)).toEqual(Float32Array.from([2, 10]));
    expect(await run(false)).toEqual(Float32Array.from([3, 7]));
    await session.release();
  });

  it('gives the same bytes for the same description', () => {
    expect(Buffer.from(buildOnnxModel(search)).equals(Buffer.from(buildOnnxModel(search)))).toBe(true);
  });

  it('refuses an initializer whose data does not fill its dims', () => {
    const broken = { ...search, initializers: [{ name: 'k', type: 'int64' as const, dims: [2], data: [1] }] };
    expect(() => buildOnnxModel(broken)).toThrow(/k has 1 values, its dims say 2/);
  });
});
