import { AppError } from '../../contract/errors.ts';
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
        throw refusal(`The archive holds more than ${limits.max_entries.toLocaleString('en-US')} entries`);
      }
    },
    add: (name, sizeBytes, packedBytes) => {
      if (sizeBytes > limits.max_entry_bytes) {
        throw refusal(
          `${shownName(name)} in the archive is larger than the limit of ${shownBytes(limits.max_entry_bytes)} a file`,
        );
      }
      totalBytes += sizeBytes;
      if (totalBytes > limits.max_total_bytes) {
        throw refusal(`The archive unpacks to more than the limit of ${shownBytes(limits.max_total_bytes)}`);
      }
      if (packedBytes === null) return;
      checkRatio(limits, sizeBytes, packedBytes, shownName(name));
      // With entries that share their packed bytes, a small archive can claim petabytes at a modest ratio each.
      totalPackedBytes += packedBytes;
      if (totalPackedBytes > archiveBytes) {
        throw refusal('The archive is damaged or a bomb: its entries claim more data than the archive has');
      }
      checkRatio(limits, totalBytes, archiveBytes, 'The archive');
    },
  };
}

/** Checks the ratio of unpacked to packed bytes. @throws AppError `invalid_request` when it is too high. */
export function checkRatio(limits: ArchiveLimits, unpackedBytes: number, packedBytes: number, what: string): void {
  if (unpackedBytes <= RATIO_FREE_BYTES || unpackedBytes <= packedBytes * limits.max_ratio) return;
  throw refusal(
    `The archive looks like a decompression bomb: ${what === 'The archive' ? 'it' : what} unpacks to more than ${limits.max_ratio} times its packed size`,
  );
}

function refusal(detail: string): AppError {
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
