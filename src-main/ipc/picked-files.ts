import { isAbsolute } from 'node:path';
import { AppError } from '../contract/errors.ts';
import type { UploadedFile } from '../contract/fields.ts';

/**
 * The input of an operation with uploads as it may come from a renderer: files are those that the person picked, named by absolute
 * path, and never ours to move or delete. What is malformed otherwise is left to the operation's own validation.
 * @throws AppError `invalid_input` for a file without an absolute path.
 */
export function asPickedFiles(input: unknown, fileFields: readonly string[]): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const picked: Record<string, unknown> = { ...input };
  for (const field of fileFields) {
    const value = picked[field];
    if (Array.isArray(value)) picked[field] = value.map((file: unknown) => asPickedFile(file, field));
    else if (value !== undefined) picked[field] = asPickedFile(value, field);
  }
  return picked;
}

function asPickedFile(file: unknown, field: string): unknown {
  if (typeof file !== 'object' || file === null) return file;
  const { path, file_name, size_bytes } = file as Partial<UploadedFile>;
  if (typeof path !== 'string' || !isAbsolute(path) || path.includes('\0')) {
    const problem = 'each file needs the absolute path it was picked from';
    throw new AppError('invalid_input', `${field}: ${problem}`, { [field]: problem });
  }
  return { path, file_name, size_bytes, owned: false };
}
