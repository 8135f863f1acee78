import { buildOnnxModel } from '../../tools/graphs/onnx-writer.ts';

/** Returns an ONNX encoder: input 8 by 8 pixels, output their 192 numbers plus weights. `weights` pads the file by four bytes each. */
export function tinyEncoder(weights = 192): Buffer {
  const data = Float32Array.from({ length: weights }, (_, at) => Math.sin(at));
  return Buffer.from(
    buildOnnxModel({
      name: 'tiny',
      opset: 17,
      inputs: [{ name: 'pixel_values', type: 'float32', shape: ['batch', 3, 8, 8] }],
      outputs: [{ name: 'image_embeds', type: 'float32', shape: ['batch', 192] }],
      initializers: [{ name: 'padding', type: 'float32', dims: [weights], data }],
      nodes: [{ op: 'Flatten', inputs: ['pixel_values'], outputs: ['image_embeds'], attributes: { axis: { int: 1 } } }],
    }),
  );
}

/** How to run {@link tinyEncoder}, as in `vitrine.json` and a catalogue. */
export const TINY_RUNNER = {
  kind: 'image_encoder',
  model_file: 'model.onnx',
  dim: 192,
  input: { name: 'pixel_values', width_px: 8, height_px: 8, resize: 'stretch' },
} as const;
