import { AppError } from '../../contract/errors.ts';
import { shownName } from './entry-path.ts';

/** What an archive may hold before it is refused whole. */
export interface ArchiveLimits {
  /** Entries of any kind, folders and hidden files included. */
  max_entries: number;
  /** All files unpacked. */
  max_total_bytes: number;
  /** One file unpacked. */
  max_entry_bytes: number;
  /** Unpacked by packed size, of one file and of the whole; looked at beyond {@link RATIO_FREE_BYTES} unpacked. */
  max_ratio: number;
  /** Folders above a file, itself included. */
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

/** Small files may compress as well as they like: a blank picture is no bomb. */
export const RATIO_FREE_BYTES = 10_000_000;

/** Counts what an archive declares. Every method throws AppError `invalid_request` at the first limit that is passed. */
export interface ArchiveBudget {
  /** One more entry of any kind. */
  count(): void;
  /** A file of a name with its unpacked size and, where the format knows it, its packed size. */
  add(name: string, size_bytes: number, packed_bytes: number | null): void;
}

/** @param archive_bytes Size of the archive itself. */
export function createArchiveBudget(limits: ArchiveLimits, archive_bytes: number): ArchiveBudget {
  let n_entries = 0;
  let total_bytes = 0;
  let total_packed_bytes = 0;
  return {
    count: () => {
      n_entries += 1;
      if (n_entries > limits.max_entries) {
        throw refusal(`The archive holds more than ${limits.max_entries.toLocaleString('en-US')} entries`);
      }
    },
    add: (name, size_bytes, packed_bytes) => {
      if (size_bytes > limits.max_entry_bytes) {
        throw refusal(
          `${shownName(name)} in the archive is larger than the limit of ${shownBytes(limits.max_entry_bytes)} a file`,
        );
      }
      total_bytes += size_bytes;
      if (total_bytes > limits.max_total_bytes) {
        throw refusal(`The archive unpacks to more than the limit of ${shownBytes(limits.max_total_bytes)}`);
      }
      if (packed_bytes === null) return;
      checkRatio(limits, size_bytes, packed_bytes, shownName(name));
      // Entries that share their packed bytes are how a small archive claims petabytes at a modest ratio each.
      total_packed_bytes += packed_bytes;
      if (total_packed_bytes > archive_bytes) {
        throw refusal('The archive is damaged or a bomb: its entries claim more data than the archive has');
      }
      checkRatio(limits, total_bytes, archive_bytes, 'The archive');
    },
  };
}

/** @throws AppError `invalid_request` when that much data came out of that little. */
export function checkRatio(limits: ArchiveLimits, unpacked_bytes: number, packed_bytes: number, what: string): void {
  if (unpacked_bytes <= RATIO_FREE_BYTES || unpacked_bytes <= packed_bytes * limits.max_ratio) return;
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
