import { decodeHeif } from './decode-heif.ts';
import { decodeIcon, decodeJpeg2000, decodeWithMagick } from './decode-magick.ts';
import type { FallbackDecoder } from './decoded-pixels.ts';

/**
 * Decoders by detected format id. Formats that libvips also knows are decoded by libvips first; these decoders are used when libvips lacks
 * the codec. Formats that neither supports are reported as unsupported.
 */
export const fallbackDecoders: Readonly<Partial<Record<string, FallbackDecoder>>> = {
  heic: decodeHeif,
  heif: decodeHeif,
  bmp: decodeWithMagick('BMP'),
  ico: decodeIcon,
  jp2: decodeJpeg2000,
  jxl: decodeWithMagick('JXL'),
  pnm: decodeWithMagick('PNM'),
  psd: decodeWithMagick('PSD'),
  qoi: decodeWithMagick('QOI'),
  tiff: decodeWithMagick('TIFF'),
};
