import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const submission = z.strictObject({
  submission_id: z.string(),
  entrypoint: z.string(),
  runtime_env: z.strictObject({ working_dir: z.string().regex(/^gcs:\/\/_ray_pkg_[0-9a-f]+\.zip$/) }),
});

interface Job {
  status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'STOPPED';
  message: string;
  logs: string;
  entrypoint: string;
}

export interface RayServer {
  url: string;
  jobs: Map<string, Job>;
  /** Sizes of the uploaded packages by name. */
  packages: Map<string, number>;
  /** Cuts connections without an answer while true. */
  cuts: boolean;
  /** Number of connections that were cut. */
  nCut: number;
  /** Whether a node is ready for jobs, and how many jobs were refused because none was. */
  isReady: boolean;
  nRefused: number;
  close(): Promise<void>;
}

/** Starts a server on a free port of the loopback interface that answers as the job API of Ray's dashboard does. Tests set the jobs' states. */
export async function startRayServer(): Promise<RayServer> {
  const [jobs, packages] = [new Map<string, Job>(), new Map<string, number>()];
  const server = createServer((request, response) => {
    if (!ray.cuts) {
      void answer(ray, request, response);
      return;
    }
    ray.nCut += 1;
    request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ray: RayServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ jobs, packages, cuts: false, nCut: 0, isReady: true, nRefused: 0 },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return ray;
}

async function answer(ray: RayServer, request: IncomingMessage, response: ServerResponse) {
  const { jobs, packages } = ray;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const reply = (status: number, value: unknown) => {
    response.writeHead(status, { 'content-type': typeof value === 'string' ? 'text/plain' : 'application/json' });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  };
  const [, kind = '', id = '', action] =
    /^\/api\/(version|jobs|packages)\/?([^/]*)\/?(.*)$/.exec(request.url ?? '') ?? [];
  // The dashboard takes such requests for those of a web page.
  if (request.method !== 'GET' && 'sec-fetch-mode' in request.headers) return reply(405, 'Method Not Allowed');
  if (kind === 'version') return reply(200, { version: '4', ray_version: '2.58.0' });
  if (kind === 'packages') {
    if (request.method === 'PUT') packages.set(action ?? '', body.length);
    return packages.has(action ?? '') ? reply(200, '') : reply(404, 'Package does not exist');
  }
  if (kind === 'jobs' && request.method === 'POST' && id === '') {
    const { success, data, error } = submission.safeParse(JSON.parse(body.toString('utf8')));
    if (!success) return reply(400, error.message);
    if (jobs.has(data.submission_id)) return reply(500, 'Job already exists');
    if (!ray.isReady) {
      ray.nRefused += 1;
      return reply(500, 'No available agent to submit job, please try again later.');
    }
    jobs.set(data.submission_id, { status: 'PENDING', message: '', logs: '', entrypoint: data.entrypoint });
    return reply(200, { job_id: data.submission_id, submission_id: data.submission_id });
  }
  const job = jobs.get(id);
  if (!job) return reply(404, `Job ${id} does not exist`);
  if (action === 'logs') return reply(200, { logs: job.logs });
  if (action === 'stop') {
    const isOpen = job.status === 'PENDING' || job.status === 'RUNNING';
    if (isOpen) job.status = 'STOPPED';
    return reply(200, { stopped: isOpen });
  }
  reply(200, { type: 'SUBMISSION', submission_id: id, status: job.status, message: job.message, error_type: null });
}
