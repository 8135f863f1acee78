import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';
import type { UploadedFile } from '../contract/fields.ts';
import { type Message, message } from '../contract/messages.ts';
import { maxBodyBytes, type OperationSpec } from '../contract/operation.ts';
import { spoolFile } from './spool-file.ts';

/** Maximum number of files of one request that are written at the same time. */
const WRITES_AT_ONCE = 8;

export interface FormInput {
  fields: Record<string, unknown>;
  /** Deletes temporary files that the handler did not move. */
  discard(): Promise<void>;
}

/**
 * Reads a multipart body part by part. Files are streamed to temporary files, so memory does not grow with their size.
 * An interrupted request leaves no files.
 * @throws AppError `invalid_input` for a malformed form and for a file in an unknown field; `invalid_request` for a repeated field;
 * `too_large` when the fields exceed their limit.
 */
export async function readForm(
  request: FastifyRequest,
  operation: OperationSpec,
  temporaryFolder: string,
): Promise<FormInput> {
  const folder = join(temporaryFolder, randomUUID());
  const discard = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const fields: Record<string, unknown> = {};
  const writes = new Writes(WRITES_AT_ONCE);
  let nFiles = 0;
  let fieldBytes = 0;
  const maxFieldBytes = maxBodyBytes(operation);
  try {
    await mkdir(folder);
    for await (const part of partsOf(request, operation.maxFileBytes)) {
      const arity = operation.files?.[part.fieldname];
      if (arity !== 'many' && Object.hasOwn(fields, part.fieldname)) {
        throw new AppError('invalid_request', message('form_field_repeated', { field: part.fieldname }));
      }
      if (part.type === 'field') {
        fieldBytes += part.fieldname.length + sizeOf(part.value);
        if (part.valueTruncated || fieldBytes > maxFieldBytes)
          throw new AppError('too_large', message('form_fields_too_large'));
        fields[part.fieldname] = part.value;
        continue;
      }
      if (arity === undefined) throw new AppError('invalid_input', wrongField(part.fieldname, operation));
      const file = { path: join(folder, String(nFiles)), file_name: part.filename, size_bytes: 0, owned: true };
      nFiles += 1;
      const before = fields[part.fieldname];
      if (arity === 'one') fields[part.fieldname] = file;
      else if (Array.isArray(before)) before.push(file);
      else fields[part.fieldname] = [file];
      await writes.add(receive(part, file));
    }
    await writes.end();
    return { fields, discard };
  } catch (error) {
    await writes.settle();
    await discard();
    throw error;
  }
}

async function* partsOf(request: FastifyRequest, maxFileBytes: number | undefined): AsyncGenerator<Multipart> {
  try {
    yield* request.parts(maxFileBytes === undefined ? {} : { limits: { fileSize: maxFileBytes } });
  } catch (error) {
    throw formError(error);
  }
}

async function receive(part: MultipartFile, file: UploadedFile): Promise<void> {
  try {
    Object.assign(file, await spoolFile(part.file, file.path));
  } catch (error) {
    throw part.file.errored ? formError(part.file.errored) : error;
  }
  if (part.file.truncated) throw new AppError('too_large', message('uploaded_file_too_large', { file: part.filename }));
}

/** Size in bytes of a field; JSON fields arrive parsed. */
function sizeOf(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : JSON.stringify(value).length;
}

/** Errors of the form parser have no status; exceeded limits and interrupted requests have one. */
function formError(error: unknown): unknown {
  if (!(error instanceof Error) || 'statusCode' in error) return error;
  return new AppError('invalid_input', message('form_unreadable', { problem: error.message }));
}

/**
 * Runs a limited number of writes at a time; the next call throws the first failure. Unlike p-map it waits for all writes after a
 * failure, because their folder is deleted then.
 */
class Writes {
  readonly #limit: number;
  readonly #pending = new Set<Promise<void>>();
  #failure: { error: unknown } | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits until another write may start. */
  async add(work: Promise<void>): Promise<void> {
    const settled = work
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
    if (this.#pending.size >= this.#limit) await Promise.race(this.#pending);
    if (this.#failure) throw this.#failure.error;
  }

  async end(): Promise<void> {
    await this.settle();
    if (this.#failure) throw this.#failure.error;
  }

  async settle(): Promise<void> {
    await Promise.all(this.#pending);
  }
}

function wrongField(field: string, operation: OperationSpec): Message {
  const known = Object.keys(operation.files ?? {});
  return known.length === 0
    ? message('file_field_unexpected', { field })
    : message('file_field_unknown', { field, names: known.map((name) => `"${name}"`).join(' or ') });
}
