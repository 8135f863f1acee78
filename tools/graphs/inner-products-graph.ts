import { buildOnnxModel } from './onnx-writer.ts';

/** Builds a graph that computes the inner products of every row of `queries` with every row of `vectors`. */
export function innerProductsGraph(): Uint8Array {
  return buildOnnxModel({
    name: 'inner-products',
    opset: 17,
    inputs: [
      { name: 'queries', type: 'float32', shape: ['m', 'dim'] },
      { name: 'vectors', type: 'float32', shape: ['n', 'dim'] },
    ],
    outputs: [{ name: 'products', type: 'float32', shape: ['m', 'n'] }],
    nodes: [
      { op: 'Transpose', inputs: ['vectors'], outputs: ['columns'], attributes: { perm: { ints: [1, 0] } } },
      { op: 'MatMul', inputs: ['queries', 'columns'], outputs: ['products'] },
    ],
  });
}
