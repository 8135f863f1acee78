import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EnrichmentType,
  type ImageInput,
  imageInput,
  type RunnerOf,
  runner,
} from '../../src-main/contract/schemas/model-definition.ts';
import { DEFAULT_PIXEL_LIMIT, type WorkingImage } from '../../src-main/infra/images/decode-image.ts';
import { neededScale, type PixelSize, prepareImage } from '../../src-main/infra/images/image-input.ts';
import type { LocalModel } from '../../src-main/infra/inference/local-models.ts';

/** Input that stretches an image to a square and does not change its pixel values. */
export const stretchedTo = (sidePx: number): ImageInput =>
  imageInput.parse({
    width_px: sidePx,
    height_px: sidePx,
    resize: 'stretch',
    kernel: 'bicubic',
    layout: 'NHWC',
    dtype: 'uint8',
  });

/** Request to describe an image for one model with such an input. */
export const describedFor = (input: ImageInput) => ({
  pixelLimit: DEFAULT_PIXEL_LIMIT,
  neededScale: (image: PixelSize) => neededScale(input, image),
  prepare: (working: WorkingImage, image: PixelSize) => prepareImage(working, image, input),
});

const MOBILENET = 'mobilenet_v2_1.0_224_ptq.converted.onnx';
const CROP = { width_px: 224, height_px: 224, resize: 'crop' } as const;
const FROM_MINUS_ONE = { mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] };

/** The stand-in for CLIP, an encoder of images and texts. */
export const CLIP = {
  kind: 'image_encoder',
  model_file: 'onnx/vision_model.onnx',
  dim: 512,
  input: { ...CROP, kernel: 'bicubic', ...FROM_MINUS_ONE },
  text: { model_file: 'onnx/text_model.onnx' },
} as const;

type ImageKind = 'detector' | 'classifier' | 'image_encoder' | 'zero_shot';
type ImageSpec<Kind extends ImageKind> = LocalModel & { runner: RunnerOf<Kind> };

/**
 * The shared models as described in their README.
 * @param root Folder of the shared models.
 * @param scratch An empty folder for files that some models lack: a list of labels.
 */
export function sharedModels(root: string, scratch: string) {
  const spec = <Kind extends ImageKind>(
    name: string,
    type: EnrichmentType,
    described: { kind: Kind } & Record<string, unknown>,
    folder = join(root, name),
  ): ImageSpec<Kind> => ({
    model_id: `${name}-${described.kind}`,
    type,
    folder,
    runner: runner.parse(described) as RunnerOf<Kind>,
  });
  copyFileSync(join(root, 'ultraface', 'version-RFB-320.onnx'), join(scratch, 'version-RFB-320.onnx'));
  writeFileSync(join(scratch, 'labels.txt'), 'face\n');
  return {
    yolox: spec('yolox-nano', 'OBJECT_DETECTION', {
      kind: 'detector',
      model_file: 'yolox_nano.onnx',
      input: { width_px: 416, height_px: 416, resize: 'letterbox', channels: 'BGR', scale: 1 },
      labels_file: 'coco_classes.txt',
      decoder: 'yolox',
    }),
    ultraface: spec(
      'ultraface',
      'OBJECT_DETECTION',
      {
        kind: 'detector',
        model_file: 'version-RFB-320.onnx',
        input: {
          width_px: 320,
          height_px: 240,
          resize: 'stretch',
          scale: 1,
          mean: [127, 127, 127],
          std: [128, 128, 128],
        },
        labels_file: 'labels.txt',
        decoder: 'corner_boxes',
        min_confidence: 0.7,
      },
      scratch,
    ),
    shufflenet: spec('shufflenet-v2-int8', 'IMAGE_TAGGING', {
      kind: 'classifier',
      model_file: 'shufflenet-v2-12-int8.onnx',
      input: { ...CROP, resize_px: 256, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] },
      labels_file: 'synset.txt',
    }),
    mobilenet: spec('mobilenet-v2-int8', 'IMAGE_TAGGING', {
      kind: 'classifier',
      model_file: MOBILENET,
      output: 'logits',
      input: { ...CROP, ...FROM_MINUS_ONE },
      labels_file: 'imagenet_labels.txt',
    }),
    mobilenet_vectors: spec('mobilenet-v2-int8', 'MULTIMODEL_IMAGE_ENCODING', {
      kind: 'image_encoder',
      model_file: MOBILENET,
      output: 'image_features',
      dim: 1280,
      input: { ...CROP, ...FROM_MINUS_ONE },
    }),
    clip: spec('standin-clip', 'MULTIMODEL_IMAGE_ENCODING', CLIP),
    zero_shot: spec('standin-clip', 'IMAGE_TAGGING', {
      kind: 'zero_shot',
      encoder: CLIP,
      labels: ['dog', 'bear', 'pizza', 'train', 'bus', 'zebra', 'giraffe', 'elephant', 'boat', 'horse', 'qqqwxz'],
      templates: ['a photo of a {}', '{}'],
      min_confidence: 0.05,
    }),
  };
}
