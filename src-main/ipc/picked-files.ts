import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { AppError, invalidField } from '../contract/errors.ts';
import type { UploadedFile } from '../contract/fields.ts';
import { message } from '../contract/messages.ts';

/** Maximum size of a pasted image. Picked files are passed by path and have no limit. */
const MAX_PASTED_BYTES = 64 * 1024 * 1024;

export interface PickedInput {
  input: unknown;
  /** Deletes the temporary files of the call. */
  discard(): Promise<void>;
}

/**
 * Reads the input of an operation with uploads from a renderer. Picked files come as absolute paths and are never moved or deleted. Pasted
 * images have no path and come as bytes, which are written to a temporary file. The operation validates everything else.
 * @throws AppError `invalid_input` for a file with neither; `too_large` for too many bytes.
 */
export async function readPickedFiles(
  input: unknown,
  fileFields: readonly string[],
  temporaryFolder: string,
): Promise<PickedInput> {
  const folder = join(temporaryFolder, randomUUID());
  const discard = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  if (typeof input !== 'object' || input === null) return { input, discard };
  const picked: Record<string, unknown> = { ...input };
  try {
    for (const field of fileFields) {
      const value = picked[field];
      if (Array.isArray(value)) {
        picked[field] = await Promise.all(value.map((file: unknown) => readPickedFile(file, field, folder)));
      } else if (value !== undefined) picked[field] = await readPickedFile(value, field, folder);
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return { input: picked, discard };
}

async function readPickedFile(file: unknown, field: string, folder: string): Promise<unknown> {
  if (typeof file !== 'object' || file === null) return file;
  const { path, bytes, file_name, size_bytes } = file as Partial<UploadedFile> & { bytes?: unknown };
  if (bytes instanceof Uint8Array) {
    if (bytes.length > MAX_PASTED_BYTES) throw new AppError('too_large', message('pasted_file_too_large', { field }));
    await mkdir(folder, { recursive: true });
    const written = join(folder, randomUUID());
    await writeFile(written, bytes);
    return { path: written, file_name, size_bytes: bytes.length, owned: true };
  }
  if (typeof path !== 'string' || !isAbsolute(path) || path.includes('\0')) {
    throw invalidField(field, message('picked_file_without_path'));
  }
  return { path, file_name, size_bytes, owned: false };
}
