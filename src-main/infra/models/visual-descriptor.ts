import { join } from 'node:path';
import type { Encoder } from '../../core/encoder.port.ts';
import { DESCRIPTOR_DIM, DESCRIPTOR_ID, DESCRIPTOR_INPUT_PX } from './descriptor-graph.ts';

/** Average similarities at which groups of this descriptor stop growing: near-duplicates, look-alikes, … broad kinds of picture. */
const CUTS = [0.925, 0.7, 0.56, 0.44, 0.33] as const;

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
