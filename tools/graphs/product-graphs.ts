import { buildDescriptorModel } from './descriptor-graph.ts';
import { deviceCheckGraph } from './device-check-graph.ts';
import { innerProductsGraph } from './inner-products-graph.ts';

/** Returns every graph of `resources/models` by file name. */
export function productGraphs(): Map<string, Uint8Array> {
  return new Map([
    ['visual-descriptor.onnx', buildDescriptorModel()],
    ['inner-products.onnx', innerProductsGraph()],
    ['device-check.onnx', deviceCheckGraph()],
  ]);
}
