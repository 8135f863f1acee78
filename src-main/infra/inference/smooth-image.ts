import { sharp } from '../images/sharp-runtime.ts';
import type { Transformers } from './local-transformers.ts';

/** Kernels by Pillow's numbers of its filters. */
const KERNELS = ['nearest', 'lanczos3', 'linear', 'cubic', 'linear', 'linear'] as const;

/**
 * Returns the library's image class with a scaling that averages the pixels which it makes one of, like Pillow, with which captioners were
 * trained. The library itself interpolates between a few pixels and leaves out the others, so that fine patterns become false ones.
 */
export function smoothImages({ RawImage }: Pick<Transformers, 'RawImage'>): typeof RawImage {
  return class SmoothImage extends RawImage {
    override async resize(
      width: number,
      height: number,
      options: Parameters<InstanceType<typeof RawImage>['resize']>[2] = {},
    ): Promise<InstanceType<typeof RawImage>> {
      const kernel = KERNELS[Number(options.resample ?? KERNELS.indexOf('linear'))];
      // The processors of captioners give both sides, and a number.
      if (kernel === undefined || !(width > 0 && height > 0)) return super.resize(width, height, options);
      const size = { width: Math.round(width), height: Math.round(height) };
      if (size.width === this.width && size.height === this.height) return this;
      const channels = this.channels as 1 | 2 | 3 | 4;
      const data = await sharp(this.data, { raw: { width: this.width, height: this.height, channels } })
        .resize(size.width, size.height, { fit: 'fill', kernel })
        .raw()
        .toBuffer();
      return new SmoothImage(data, size.width, size.height, channels);
    }
  };
}
