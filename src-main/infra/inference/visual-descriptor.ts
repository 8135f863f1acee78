import { join } from 'node:path';
import type { Encoder } from '../../core/ports/encoder.ts';
import {
  DESCRIPTOR_DIM,
  DESCRIPTOR_ID,
  DESCRIPTOR_INPUT_NAME,
  DESCRIPTOR_INPUT_PX,
  DESCRIPTOR_OUTPUT_NAME,
} from './descriptor-shape.ts';
import type { LocalModel, LocalModels } from './local-models.ts';

/** Average similarities at which clusters of this descriptor stop merging: from near-duplicates to broad kinds of image. */
const LINKAGE_THRESHOLDS = [0.925, 0.7, 0.56, 0.44, 0.33] as const;

/** Adds the built-in image encoder to the models of this machine. */
export function addVisualDescriptor(models: LocalModels, resourcesFolder: string): Encoder {
  return {
    encoder_id: DESCRIPTOR_ID,
    dim: DESCRIPTOR_DIM,
    model: models.add(localDescriptor(resourcesFolder)),
    linkage_thresholds: LINKAGE_THRESHOLDS,
  };
}

/** @param resourcesFolder The product's `resources` folder. */
export function localDescriptor(resourcesFolder: string): LocalModel {
  return {
    model_id: DESCRIPTOR_ID,
    type: 'MULTIMODEL_IMAGE_ENCODING',
    folder: join(resourcesFolder, 'models'),
    runner: {
      kind: 'image_encoder',
      model_file: 'visual-descriptor.onnx',
      output: DESCRIPTOR_OUTPUT_NAME,
      dim: DESCRIPTOR_DIM,
      input: {
        name: DESCRIPTOR_INPUT_NAME,
        width_px: DESCRIPTOR_INPUT_PX,
        height_px: DESCRIPTOR_INPUT_PX,
        resize: 'stretch',
        kernel: 'bicubic',
        pad: 0,
        layout: 'NHWC',
        channels: 'RGB',
        dtype: 'uint8',
        scale: 1,
        mean: [0, 0, 0],
        std: [1, 1, 1],
      },
    },
  };
}
