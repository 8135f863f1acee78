import { readFile, stat } from 'node:fs/promises';
import type { z } from 'zod';
import { type Message, message } from '../../contract/messages.ts';
import {
  type HostDescription,
  hostDescription,
  type InferenceRequest,
  inferenceAnswer,
  MAX_INFERENCE_BYTES,
  MAX_INFERENCE_IMAGES,
  type WireImage,
} from '../../contract/schemas/inference.ts';
import type { AppliedImage, ModelRef } from '../../core/ports/inference.ts';
import type { ImageRequest } from '../../core/ports/local-jobs.ts';
import { sendRequest } from '../storage/send-request.ts';
import { fromWire } from './wire-images.ts';

const DESCRIBE_TIMEOUT_MS = 30_000;

/** Why a host did not do its work. */
export class HostProblem extends Error {
  readonly reason: Message;

  constructor(reason: Message, cause?: unknown) {
    super(reason.code, { cause });
    this.reason = reason;
  }
}

export interface HostAccess {
  address: string;
  secret: string;
  version: string;
}

/** @throws HostProblem for a host that does not answer, refuses the secret or has another version. */
export async function describeHost(access: HostAccess): Promise<HostDescription> {
  const { address, version } = access;
  const signal = AbortSignal.timeout(DESCRIBE_TIMEOUT_MS);
  const described = await ask(access, `${address}/models`, undefined, hostDescription, signal);
  const { program_version: found } = described;
  if (found !== version) throw new HostProblem(message('host_of_other_version', { found, requested: version }));
  return described;
}

export interface HostWork {
  items: readonly ImageRequest[];
  models: readonly ModelRef[];
  boxModels: readonly ModelRef[] | undefined;
}

/**
 * Sends images to a host, in as few requests as its limits allow. Never sends a path.
 * @returns Results of the images that were sent. Empty, large and unreadable files are left out: local processes report what is wrong.
 * @throws HostProblem.
 */
export async function applyOnHost(access: HostAccess, work: HostWork, signal: AbortSignal): Promise<AppliedImage[]> {
  const results: AppliedImage[] = [];
  for (const group of groupsOf(await sizesOf(work.items))) {
    const files = await Promise.all(
      group.map(async (item) => ({ item, bytes: await readFile(item.path).catch(() => undefined) })),
    );
    const sent = files.flatMap(({ item, bytes }) => (bytes && bytes.length > 0 ? [{ item, bytes }] : []));
    if (sent.length === 0) continue;
    const request: InferenceRequest = {
      program_version: access.version,
      models: work.models.map(refToSend),
      ...(work.boxModels && { box_models: work.boxModels.map(refToSend) }),
      images: sent.map(({ item }) => (item.swap_rgb === true ? { swap_rgb: true } : {})),
    };
    const form = new FormData();
    form.set('request', JSON.stringify(request));
    for (const { bytes } of sent) form.append('image', new Blob([bytes]), 'image');
    const answer = await ask(access, `${access.address}/infer`, form, inferenceAnswer, signal);
    if (answer.results.length !== sent.length) throw new HostProblem(message('host_answer_invalid'));
    for (const [at, { item }] of sent.entries()) results.push(resultOf(item.key, answer.results[at], work));
  }
  return results;
}

function resultOf(key: number, image: WireImage | undefined, work: HostWork): AppliedImage {
  try {
    if (image === undefined) throw new Error('no result');
    const result = fromWire(key, image);
    if (result.ok && result.outputs.length !== work.models.length) throw new Error('wrong number of outputs');
    return result;
  } catch (error) {
    throw new HostProblem(message('host_answer_invalid'), error);
  }
}

async function ask<T>(
  { secret }: HostAccess,
  url: string,
  form: FormData | undefined,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T> {
  const { status, text } = await send(secret, url, form, signal).catch((error: unknown) => {
    const isLate = signal.aborted && signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
    throw new HostProblem(message(isLate ? 'host_too_slow' : 'host_unreachable'), error);
  });
  if (status === 401) throw new HostProblem(message('host_secret_refused'));
  if (status !== 200) throw new HostProblem(message('host_failed', { status }));
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new HostProblem(message('host_answer_invalid'), error);
  }
}

async function send(secret: string, url: string, form: FormData | undefined, signal: AbortSignal) {
  const encoded = form && new Response(form);
  const body = encoded && {
    bytes: Buffer.from(await encoded.arrayBuffer()),
    content_type: encoded.headers.get('content-type') ?? '',
  };
  const headers = { authorization: `Bearer ${secret}` };
  return sendRequest(new URL(url), { method: body ? 'POST' : 'GET', headers, body, signal });
}

async function sizesOf(items: readonly ImageRequest[]): Promise<{ item: ImageRequest; bytes: number }[]> {
  return Promise.all(
    items.map(async (item) => ({ item, bytes: (await stat(item.path).catch(() => undefined))?.size ?? 0 })),
  );
}

function groupsOf(files: readonly { item: ImageRequest; bytes: number }[]): ImageRequest[][] {
  const groups: ImageRequest[][] = [];
  let free = 0;
  for (const { item, bytes } of files) {
    if (bytes === 0 || bytes > MAX_INFERENCE_BYTES) continue;
    const last = groups.at(-1);
    if (last === undefined || bytes > free || last.length >= MAX_INFERENCE_IMAGES) {
      groups.push([item]);
      free = MAX_INFERENCE_BYTES - bytes;
    } else {
      last.push(item);
      free -= bytes;
    }
  }
  return groups;
}

const refToSend = ({ model_id, version, labels }: ModelRef) =>
  labels ? { model_id, version, labels: [...labels] } : { model_id, version };
