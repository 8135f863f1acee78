import { buildDescriptorModel } from './descriptor-graph.ts';
import { deviceCheckGraph } from './device-check-graph.ts';
import { topKAmongGraph, topKGraph } from './top-k-graphs.ts';

/** Every graph of `resources/models` by its file's name. */
export function productGraphs(): Map<string, Uint8Array> {
  return new Map([
    ['visual-descriptor.onnx', buildDescriptorModel()],
    ['top-k.onnx', topKGraph({ entrants: false })],
    ['top-k-entrants.onnx', topKGraph({ entrants: true })],
    ['top-k-among.onnx', topKAmongGraph()],
    ['device-check.onnx', deviceCheckGraph()],
  ]);
}
