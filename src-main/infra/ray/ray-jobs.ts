import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Log } from '../../core/ports/log.ts';
import type { RayJob, RayJobs, RayWork } from '../../core/ports/ray.ts';
import { sendRequest } from '../storage/send-request.ts';
import { PROGRAM, packProgram } from './ray-program.ts';

/** Submitting a job waits for an agent of the cluster. */
const TIMEOUT_MS = 60_000;
const MAX_REASON_LETTERS = 300;

const STATES = {
  PENDING: 'waiting',
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  STOPPED: 'stopped',
} as const;
const jobAnswer = z.object({
  status: z.enum(['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'STOPPED']),
  message: z.string().nullish(),
});
const logsAnswer = z.object({ logs: z.string().nullish() });

interface Parts {
  /** Returns the address of the cluster's dashboard; empty if none is configured. */
  address: () => string;
  /** Folder for short-lived files. */
  temporaryFolder: string;
  log: Log;
}

/**
 * Client of Ray's job API, version 4.
 * Source: https://docs.ray.io/en/latest/cluster/running-applications/job-submission/rest.html
 */
export function createRayJobs({ address, temporaryFolder, log }: Parts): RayJobs {
  const away = (error: unknown) => {
    log.warn({ err: error }, 'the Ray cluster did not answer');
    return new AppError('unavailable', message('ray_unavailable'));
  };

  /** Returns the text of the response, or undefined for 404. */
  const request = async (method: string, path: string, signal?: AbortSignal, body?: object | Buffer) => {
    const base = address();
    if (base === '') throw new AppError('invalid_request', message('no_ray_address'));
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const json = { bytes: Buffer.from(JSON.stringify(body ?? {})), content_type: 'application/json' };
    try {
      const answer = await sendRequest(new URL(`${base.replace(/\/+$/, '')}${path}`), {
        method,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        body: body instanceof Buffer ? { bytes: body, content_type: 'application/octet-stream' } : body && json,
      });
      if (answer.status === 404) return undefined;
      if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}`);
      return answer.text;
    } catch (error) {
      signal?.throwIfAborted();
      throw away(error);
    }
  };

  const read = async <T>(schema: z.ZodType<T>, path: string, signal: AbortSignal): Promise<T | undefined> => {
    const text = await request('GET', path, signal);
    if (text === undefined) return undefined;
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      throw away(error);
    }
  };

  const find = async (jobId: string, signal: AbortSignal): Promise<RayJob | undefined> => {
    const job = await read(jobAnswer, `/api/jobs/${jobId}`, signal);
    if (!job) return undefined;
    const state = STATES[job.status];
    const logs = state === 'waiting' ? undefined : await read(logsAnswer, `/api/jobs/${jobId}/logs`, signal);
    return { state, progress: progressIn(logs?.logs ?? ''), reason: lastLine(logs?.logs || job.message || '') };
  };

  return {
    assertReachable: async (signal) => {
      if ((await request('GET', '/api/version', signal)) === undefined) {
        throw new AppError('unavailable', message('ray_unavailable'));
      }
    },
    submit: async (jobId, work, signal) => {
      if (await find(jobId, signal)) return;
      const program = await packProgram(temporaryFolder);
      const name = `_ray_pkg_${createHash('sha256').update(program).digest('hex').slice(0, 32)}.zip`;
      const path = `/api/packages/gcs/${name}`;
      if ((await request('GET', path, signal)) === undefined) await request('PUT', path, signal, program);
      await request('POST', '/api/jobs/', signal, {
        submission_id: jobId,
        entrypoint: entrypointOf(work),
        runtime_env: { working_dir: `gcs://${name}` },
      });
    },
    find,
    stop: async (jobId) => {
      await request('POST', `/api/jobs/${jobId}/stop`);
    },
  };
}

/** The command line, which Ray gives to a shell. */
function entrypointOf({ manifest, model, model_id, results, use_gpu }: RayWork): string {
  const options = { '--manifest': manifest, '--model': model, '--model-id': model_id, '--results': results };
  const written = Object.entries(options).map(([name, value]) => `${name} '${value.replaceAll("'", `'\\''`)}'`);
  return [`python ${PROGRAM}`, ...written, ...(use_gpu ? ['--gpu'] : [])].join(' ');
}

function progressIn(logs: string): RayJob['progress'] {
  const [, done, total] = [...logs.matchAll(/^progress (\d+) of (\d+)$/gm)].at(-1) ?? [];
  return done === undefined ? undefined : { n_done: Number(done), n_total: Number(total) };
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1)?.trim().slice(0, MAX_REASON_LETTERS) ?? '';
}
