import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import { shownName } from './entry-path.ts';

/** Limits of an archive; an archive that exceeds one is refused as a whole. */
export interface ArchiveLimits {
  /** Maximum number of entries of any kind, including folders and hidden files. */
  max_entries: number;
  /** Maximum unpacked size of all files together. */
  max_total_bytes: number;
  /** Maximum unpacked size of one file. */
  max_entry_bytes: number;
  /** Maximum ratio of unpacked to packed size, of one file and of the archive. Applies above {@link RATIO_FREE_BYTES} unpacked bytes. */
  max_ratio: number;
  /** Maximum depth: number of folders above a file, plus the file. */
  max_depth: number;
}

const GIB = 1024 ** 3;

export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  max_entries: 1_000_000,
  max_total_bytes: 512 * GIB,
  max_entry_bytes: 64 * GIB,
  max_ratio: 200,
  max_depth: 64,
};

/** Below this unpacked size in bytes the compression ratio is not limited: a blank image compresses well and is no zip bomb. */
const RATIO_FREE_BYTES = 10_000_000;

/** Sums up what an archive declares. Every method throws AppError `invalid_request` as soon as a limit is exceeded. */
export interface ArchiveBudget {
  /** Counts an entry of any kind. */
  count(): void;
  /** Adds a file with its unpacked size and, if the format states it, its packed size. */
  add(name: string, sizeBytes: number, packedBytes: number | null): void;
}

/** @param archiveBytes Size of the archive itself. */
export function createArchiveBudget(limits: ArchiveLimits, archiveBytes: number): ArchiveBudget {
  let nEntries = 0;
  let totalBytes = 0;
  let totalPackedBytes = 0;
  return {
    count: () => {
      nEntries += 1;
      if (nEntries > limits.max_entries) {
        throw refusal(message('archive_above_entries', { limit: limits.max_entries.toLocaleString('en-US') }));
      }
    },
    add: (name, sizeBytes, packedBytes) => {
      if (sizeBytes > limits.max_entry_bytes) {
        const limit = shownBytes(limits.max_entry_bytes);
        throw refusal(message('archive_entry_above_bytes', { name: shownName(name), limit }));
      }
      totalBytes += sizeBytes;
      if (totalBytes > limits.max_total_bytes) throw tooLarge(limits);
      if (packedBytes === null) return;
      checkRatio(limits, sizeBytes, packedBytes, shownName(name));
      // With entries that share their packed bytes, a small archive can claim petabytes at a modest ratio each.
      totalPackedBytes += packedBytes;
      if (totalPackedBytes > archiveBytes) {
        throw refusal(message('archive_entries_overlap'));
      }
      checkRatio(limits, totalBytes, archiveBytes);
    },
  };
}

/**
 * Checks the ratio of unpacked to packed bytes.
 * @param name Name of the entry for messages; undefined for the whole archive.
 * @throws AppError `invalid_request` when the ratio is too high.
 */
export function checkRatio(limits: ArchiveLimits, unpackedBytes: number, packedBytes: number, name?: string): void {
  if (unpackedBytes <= RATIO_FREE_BYTES || unpackedBytes <= packedBytes * limits.max_ratio) return;
  const limit = limits.max_ratio;
  throw refusal(
    name === undefined ? message('archive_bomb', { limit }) : message('archive_entry_bomb', { name, limit }),
  );
}

/** The error for an archive whose files take more than the limit. */
export function tooLarge({ max_total_bytes }: ArchiveLimits): AppError {
  return refusal(message('archive_above_bytes', { limit: shownBytes(max_total_bytes) }));
}

function refusal(detail: Message): AppError {
  return new AppError('invalid_request', detail);
}

function shownBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number(value.toFixed(1))} ${units[unit] ?? ''}`;
}
