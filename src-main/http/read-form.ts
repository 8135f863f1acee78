import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';
import type { UploadedFile } from '../contract/fields.ts';
import { maxBodyBytes, type OperationSpec } from '../contract/operation.ts';
import { spoolFile } from './spool-file.ts';

/** Files of a request that are written while the parts after them come in; each holds a piece in memory at most. */
const WRITES_AT_ONCE = 8;

export interface FormInput {
  fields: Record<string, unknown>;
  /** Deletes the request's temporary files that the handler did not take. */
  discard(): Promise<void>;
}

/**
 * Reads a multipart body part by part: files go to temporary files as they come, so memory stays flat whatever their size.
 * A request that breaks off leaves nothing behind.
 * @throws AppError `invalid_input` for a body that is no form and for a file under a field name that the operation does not know;
 * `invalid_request` for a field that comes again; `too_large` when the fields hold more than they may.
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
        throw new AppError('invalid_request', `${part.fieldname}: give it once`);
      }
      if (part.type === 'field') {
        fieldBytes += part.fieldname.length + sizeOf(part.value);
        if (part.valueTruncated || fieldBytes > maxFieldBytes)
          throw new AppError('too_large', 'The form fields are too large');
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
    // What is left has to come in: a connection that closes while the client sends is reset, and the answer lost.
    request.raw.unpipe().resume();
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
  if (part.file.truncated) throw new AppError('too_large', `${part.filename} is too large`);
}

/** Fields that say they are JSON come parsed. */
function sizeOf(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : JSON.stringify(value).length;
}

/** What the parser of forms says by itself has no status; limits and requests that break off have theirs. */
function formError(error: unknown): unknown {
  if (!(error instanceof Error) || 'statusCode' in error) return error;
  return new AppError('invalid_input', `The form cannot be read: ${error.message}`);
}

/**
 * Some promises at a time; the first failure is thrown by the next call. p-map rejects at the first failure and leaves the others running:
 * what they write must have ended before its folder is deleted.
 */
class Writes {
  readonly #limit: number;
  readonly #pending = new Set<Promise<void>>();
  #failure: { error: unknown } | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits until there is room for another. */
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

function wrongField(name: string, operation: OperationSpec): string {
  const known = Object.keys(operation.files ?? {});
  return known.length === 0
    ? `${name}: this operation takes no files`
    : `${name}: wrong file field name; use ${known.map((field) => `"${field}"`).join(' or ')}`;
}
