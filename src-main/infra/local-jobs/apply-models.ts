import type { AppliedImage, ModelOutput } from '../../core/ports/inference.ts';
import { DEFAULT_PIXEL_LIMIT, type DecodedImage, decodeImage } from '../images/decode-image.ts';
import type { PixelSize } from '../images/image-input.ts';
import { type FileContent, readStableFile } from '../images/read-file.ts';
import { SNIFF_BYTES } from '../images/sniff-format.ts';
import { workingPxFor } from '../images/working-image.ts';
import { loadModels } from '../inference/loaded-models.ts';
import type { ApplyPayload, ImageSource, ModelUsage } from './child-protocol.ts';
import type { JobContext } from './child-runtime.ts';
import { describeBoxes } from './describe-boxes.ts';
import { runImages } from './image-pipeline.ts';

/** Handler of `apply_models` jobs: one read and one decode of an image serves all models, including those for the detected objects. */
export async function applyModels(payload: unknown, context: JobContext): Promise<ModelUsage[]> {
  const { items, models, box_models, session } = payload as ApplyPayload;
  const loaded = await loadModels(models, session, context);
  const forBoxes = box_models && (await loadModels(box_models, session, context));
  await runImages(items, loaded.batch_size, context, {
    read: async (item) => {
      // The size of the boxes is not known yet, so the image is decoded at full size.
      const { working, width, height } = await readImage(item, forBoxes ? () => 1 : loaded.neededScale, context);
      return { working, width, height, forms: await loaded.prepare(working, { width, height }) };
    },
    heldBytes: ({ working }) => working.data.length,
    finish: async (batch) => {
      const outputs = await loaded.apply(batch.map(({ read }) => read.forms));
      const found = batch.flatMap(({ read }, at) =>
        (outputs[at] ?? []).map((output) => ({ ...read, boxes: boxesOf(output) })),
      );
      const described = forBoxes && (await describeBoxes(found, forBoxes, context));
      return batch.map(({ item, read }, at): AppliedImage => {
        const { width, height } = read;
        const ofImage = outputs[at] ?? [];
        const boxes = described?.splice(0, ofImage.length) ?? ofImage.map(() => []);
        return { key: item.key, ok: true, width, height, outputs: ofImage, boxes };
      });
    },
  });
  return [...loaded.usage(), ...(forBoxes?.usage() ?? [])];
}

const boxesOf = (output: ModelOutput) => (output.kind === 'objects' ? output.objects.map(({ box }) => box) : []);

/** Reads and decodes an image at the requested scale. */
export async function readImage(
  item: ImageSource,
  neededScale: (image: PixelSize) => number,
  { borrow }: Pick<JobContext, 'borrow'>,
): Promise<DecodedImage> {
  const content = 'bytes' in item ? inMemory(item.bytes) : await readStableFile(item.path);
  return decodeImage(
    content.input,
    {
      pixelLimit: DEFAULT_PIXEL_LIMIT,
      swapRgb: item.swap_rgb === true,
      borrow,
      workingPx: (image) => workingPxFor(image, neededScale(image)),
    },
    content.head,
  );
}

function inMemory(bytes: Uint8Array): Pick<FileContent, 'input' | 'head'> {
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { input, head: input.subarray(0, SNIFF_BYTES) };
}
