import { join } from 'node:path';
import type { Encoder } from '../../core/encoder.port.ts';
import { DESCRIPTOR_DIM, DESCRIPTOR_ID, DESCRIPTOR_INPUT_PX } from './descriptor-graph.ts';

/** Average similarities at which groups of this descriptor stop growing: near-duplicates, look-alikes, … broad kinds of picture. */
const CUTS = [0.92, 0.75, 0.6, 0.45, 0.32] as const;

/** The embedded image encoder; `resources_folder` is the product's `resources` folder. */
export function visualDescriptor(resources_folder: string): Encoder {
  return {
    encoder_id: DESCRIPTOR_ID,
    model_file: join(resources_folder, 'models', 'visual-descriptor.onnx'),
    dim: DESCRIPTOR_DIM,
    input_px: DESCRIPTOR_INPUT_PX,
    cuts: CUTS,
  };
}
