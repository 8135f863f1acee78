import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { type Message, message, wholeNumber } from '../../contract/messages.ts';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  SPLIT_FORMATS,
  SPLITS,
  type SplitName,
} from '../../contract/schemas/export.ts';
import type { Split } from '../ports/exports.ts';

/** The options of an export, as stored until it has finished. */
export const exportOptions = z.object({
  export_format: z.enum(EXPORT_FORMATS),
  include_images: z.boolean(),
  file_name: z.string(),
  level: z.int(),
  split: z.object({ shares: z.record(z.enum(SPLITS), z.number()), seed: z.int() }).nullable(),
  /** Base URL by which the caller reached the service; URLs in the file start with it. */
  base_url: z.string(),
  /** Id of the user that URLs are signed for; empty for the local owner. */
  reader_id: z.string(),
  exported_by: z.string(),
});
export type ExportOptions = z.infer<typeof exportOptions>;

/**
 * Reads the shares of the sets into which items are split.
 * @param text Shares of train, val and test, such as `80,10,10` or `0.8,0.2`.
 * @throws AppError `invalid_request` for invalid shares, and for a format without sets.
 */
export function parseSplit(text: string | undefined, seed: number, format: ExportFormat): Split | null {
  if (text === undefined) return null;
  if (!SPLIT_FORMATS.includes(format)) {
    throw new AppError(
      'invalid_request',
      message('export_format_without_sets', { format, formats: SPLIT_FORMATS.join(', ') }),
    );
  }
  const shares = text.split(',').map((share) => (share.trim() === '' ? Number.NaN : Number(share)));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const areShares =
    shares.every((share) => Number.isFinite(share) && share >= 0) && total > 0 && Number.isFinite(total);
  if (!areShares || shares.length > SPLITS.length) {
    throw new AppError('invalid_request', message('export_split_invalid'));
  }
  const named = SPLITS.map((name, at): [SplitName, number] => [name, (shares[at] ?? 0) / total]);
  return { shares: Object.fromEntries(named) as Record<SplitName, number>, seed };
}

/** Maximum number of items in an export, and in an export that includes the images. */
export interface ExportLimits {
  items: number;
  images: number;
}

/** Message with the number of items by which an export is too large. */
export function tooLarge(what: keyof ExportLimits, n: number, limit: number): Message {
  return message(`export_above_${what}`, {
    n: wholeNumber(n),
    above: wholeNumber(n - limit),
    limit: wholeNumber(limit),
  });
}
