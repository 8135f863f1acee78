import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import type { FormInput } from './read-form.ts';
import { spoolFile } from './spool-file.ts';

/** Passes JSON bodies of the scope's routes on as streams for {@link readJsonFile}. */
export function streamJsonBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload));
}

/**
 * Spools a JSON body to a temporary file, so memory does not grow with its size. An interrupted request leaves no file; an empty body
 * gives none.
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
    throw error;
  }
}

async function* limited(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let nBytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    nBytes += chunk.length;
    if (nBytes > maxBytes) throw new AppError('too_large', message('body_too_large'));
    yield chunk;
  }
}
