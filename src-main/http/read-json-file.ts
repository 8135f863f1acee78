import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../contract/errors.ts';
import type { FormInput } from './read-form.ts';
import { spoolFile } from './spool-file.ts';

/** Hands JSON bodies of the scope's routes on as they come, whatever their size: {@link readJsonFile} reads them. */
export function streamJsonBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload));
}

/**
 * Spools a JSON body as the file that it stands for, so memory stays flat whatever its size. One that breaks off leaves nothing behind; an
 * empty one is no file.
 * @throws AppError `too_large`.
 */
export async function readJsonFile(
  body: Readable,
  field: string,
  { temporaryFolder, maxBytes }: { temporaryFolder: string; maxBytes: number },
): Promise<FormInput> {
  const folder = join(temporaryFolder, randomUUID());
  const discard = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    await mkdir(folder);
    const path = join(folder, '0');
    const { size_bytes } = await spoolFile(limited(body, maxBytes), path);
    const file = { path, file_name: 'body.json', size_bytes, owned: true };
    return { fields: size_bytes === 0 ? {} : { [field]: file }, discard };
  } catch (error) {
    await discard();
    // What is left has to come in: a connection that closes while the client sends is reset, and the answer lost.
    body.resume();
    throw error;
  }
}

async function* limited(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let nBytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    nBytes += chunk.length;
    if (nBytes > maxBytes) throw new AppError('too_large', 'The body is too large');
    yield chunk;
  }
}
