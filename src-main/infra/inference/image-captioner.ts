import type { RunnerOf } from '../../contract/schemas/model-definition.ts';
import { sharp } from '../images/sharp-runtime.ts';
import type { ImageModel, OpenContext } from './image-model.ts';
import { openWhereItCan } from './model-session.ts';
import { warm } from './warm-models.ts';

/** Maximum longest side in pixels. Captioners scale images themselves; no supported one uses a longer side. */
const LONGEST_SIDE_PX = 1024;
/** Number of images between two progress reports: a caption may take many seconds. */
const CAPTIONS_AT_ONCE = 4;

/** A model that captions images. */
export async function openImageCaptioner(
  folder: string,
  runner: RunnerOf<'captioner'>,
  { session, alive }: OpenContext,
): Promise<ImageModel> {
  const key = JSON.stringify(['captioner', folder, runner, session]);
  const { opened, provider } = await warm(key, async () => {
    // Loads a large library, which few models need.
    const { openCaptioner } = await import('./captioner.ts');
    const found = await openWhereItCan(session, (settings) => openCaptioner(folder, runner, settings));
    return { ...found, release: () => found.opened.release() };
  });
  return {
    provider,
    preparation_key: 'captioner',
    neededScale: ({ width, height }) => Math.min(1, LONGEST_SIDE_PX / Math.max(width, height)),
    prepare: async (working, image) => {
      const { data, info } = await sharp(working.data, {
        raw: { width: working.width, height: working.height, channels: 3 },
      })
        .resize(LONGEST_SIDE_PX, LONGEST_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
        .raw()
        .toBuffer({ resolveWithObject: true });
      const [scaleX, scaleY] = [info.width / image.width, info.height / image.height];
      return {
        data,
        width: info.width,
        height: info.height,
        image,
        scale_x: scaleX,
        scale_y: scaleY,
        offset_x: 0,
        offset_y: 0,
      };
    },
    apply: async (batch) => {
      const startedMs = performance.now();
      const captions: string[] = [];
      for (let first = 0; first < batch.length; first += CAPTIONS_AT_ONCE) {
        captions.push(...(await opened.caption(batch.slice(first, first + CAPTIONS_AT_ONCE))));
        alive();
      }
      const outputs = captions.map((caption) => ({ kind: 'caption' as const, caption }));
      return { outputs, ms: performance.now() - startedMs };
    },
  };
}
