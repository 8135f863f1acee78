import { CHECK_SIDE_PX, sequence } from '../../src-main/infra/inference/check-device.ts';
import { buildOnnxModel, type OnnxInitializer, type OnnxNode } from './onnx-writer.ts';

const CHANNELS = 32;
const LAYERS = 4;

/** Builds a graph with a few typical layers of image models: 3×3 convolutions with ReLU, then the mean of each channel. */
export function deviceCheckGraph(): Uint8Array {
  const nodes: OnnxNode[] = [];
  const initializers: OnnxInitializer[] = [];
  let before = 'image';
  for (let layer = 0; layer < LAYERS; layer += 1) {
    const dims = [CHANNELS, layer === 0 ? 3 : CHANNELS, 3, 3];
    const count = dims.reduce((product, dim) => product * dim, 1);
    const data = sequence(count).map((value) => value / Math.sqrt(count / CHANNELS));
    initializers.push({ name: `weights_${layer}`, type: 'float32', dims, data });
    const attributes = { pads: { ints: [1, 1, 1, 1] } };
    nodes.push({ op: 'Conv', inputs: [before, `weights_${layer}`], outputs: [`conv_${layer}`], attributes });
    nodes.push({ op: 'Relu', inputs: [`conv_${layer}`], outputs: [`relu_${layer}`] });
    before = `relu_${layer}`;
  }
  nodes.push({ op: 'GlobalAveragePool', inputs: [before], outputs: ['sums'] });
  return buildOnnxModel({
    name: 'device_check',
    opset: 17,
    inputs: [{ name: 'image', type: 'float32', shape: [1, 3, CHECK_SIDE_PX, CHECK_SIDE_PX] }],
    outputs: [{ name: 'sums', type: 'float32', shape: [1, CHANNELS, 1, 1] }],
    initializers,
    nodes,
  });
}
