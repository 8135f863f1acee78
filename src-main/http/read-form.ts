import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';
import type { UploadedFile } from '../contract/fields.ts';
import type { OperationSpec } from '../contract/operation.ts';

export interface FormInput {
  fields: Record<string, unknown>;
  /** Temporary files that the request brought; whatever the handler did not take is deleted afterwards. */
  spooled: UploadedFile[];
}

/**
 * Reads a multipart body part by part: files go to temporary files as they come, so memory stays flat whatever their size.
 * A request that breaks off leaves nothing behind.
 * @throws AppError `invalid_input` for a file under a field name that the operation does not know.
 */
export async function readForm(
  request: FastifyRequest,
  operation: OperationSpec,
  temporary_folder: string,
): Promise<FormInput> {
  const form: FormInput = { fields: {}, spooled: [] };
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        form.fields[part.fieldname] = part.value;
        continue;
      }
      const arity = operation.files?.[part.fieldname];
      if (arity === undefined) throw new AppError('invalid_input', wrongField(part.fieldname, operation));
      const path = join(temporary_folder, randomUUID());
      const file = { path, file_name: part.filename, size_bytes: 0, owned: true };
      form.spooled.push(file);
      await pipeline(part.file, createWriteStream(path));
      if (part.file.truncated) throw new AppError('too_large', `${part.filename} is too large`);
      file.size_bytes = part.file.bytesRead;
      const list = (form.fields[part.fieldname] ?? []) as UploadedFile[];
      form.fields[part.fieldname] = arity === 'many' ? [...list, file] : file;
    }
    return form;
  } catch (error) {
    await discard(form.spooled);
    throw error;
  }
}

export async function discard(files: readonly UploadedFile[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file.path, { force: true })));
}

function wrongField(name: string, operation: OperationSpec): string {
  const known = Object.keys(operation.files ?? {});
  return known.length === 0
    ? `${name}: this operation takes no files`
    : `${name}: wrong file field name; use ${known.map((field) => `"${field}"`).join(' or ')}`;
}
