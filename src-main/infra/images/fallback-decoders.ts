import { decodeHeif } from './decode-heif.ts';
import { decodeIcon, decodeWithMagick } from './decode-magick.ts';
import type { FallbackDecoder } from './decoded-pixels.ts';

/**
 * Decoders by sniffed format id. A format that libvips knows too goes to libvips first and comes here when the codec inside is
 * missing there. What is neither here nor known to libvips is reported as unsupported.
 */
export const fallbackDecoders: Readonly<Partial<Record<string, FallbackDecoder>>> = {
  heic: decodeHeif,
  heif: decodeHeif,
  bmp: decodeWithMagick('BMP'),
  ico: decodeIcon,
  jp2: decodeWithMagick('JP2'),
  jxl: decodeWithMagick('JXL'),
  pnm: decodeWithMagick('PNM'),
  psd: decodeWithMagick('PSD'),
  qoi: decodeWithMagick('QOI'),
  tiff: decodeWithMagick('TIFF'),
};
