import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { checkAnswer } from './check-answer.ts';

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
  text: string;
}

/** Calls the API as a script would and validates every response against its operation. */
export class Api {
  readonly baseUrl: string;
  readonly #headers: Record<string, string>;

  /** @param headers Sent with every call, for example a cookie. */
  constructor(baseUrl: string, headers: Record<string, string> = {}) {
    this.baseUrl = baseUrl;
    this.#headers = headers;
  }

  async call<T = Record<string, unknown>>(method: string, path: string, init: RequestInit = {}): Promise<Answer<T>> {
    const response = await fetch(`${this.baseUrl}/api/v1${path}`, {
      method,
      redirect: 'manual',
      ...init,
      headers: { ...this.#headers, ...(init.headers as Record<string, string> | undefined) },
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') ?? false;
    const answer = {
      status: response.status,
      headers: response.headers,
      body: (json ? JSON.parse(text) : undefined) as T,
      text,
    };
    checkAnswer(method, path, answer);
    return answer;
  }

  get<T = Record<string, unknown>>(path: string): Promise<Answer<T>> {
    return this.call<T>('GET', path);
  }

  post<T = Record<string, unknown>>(path: string, fields?: Record<string, string>): Promise<Answer<T>> {
    return this.call<T>('POST', path, fields ? { body: form(fields) } : {});
  }

  /** Creates a dataset from a folder and returns its id. */
  async createFromFolder(name: string, folder: string, fields: Record<string, string> = {}): Promise<string> {
    const { status, body } = await this.post<{ dataset_id: string; detail?: string }>('/dataset', {
      dataset_name: name,
      bucket_path: folder,
      ...fields,
    });
    if (status !== 200) throw new Error(`creation answered ${status}: ${body.detail}`);
    return body.dataset_id;
  }

  async upload(datasetId: string, transId: number, files: readonly string[], field = 'files'): Promise<Answer> {
    const body = new FormData();
    for (const file of files) body.append(field, new Blob([await readFile(file)]), basename(file));
    return this.call('POST', `/ingestion/${datasetId}/data_files/${transId}`, { body });
  }

  /** Polls until the dataset has the status. Throws when the limit is reached. */
  async waitFor(datasetId: string, status: Dataset['status_new'], limitMs = 100_000): Promise<Dataset> {
    const began = Date.now();
    for (;;) {
      const asked = Date.now();
      const { body } = await this.get<Dataset>(`/dataset/${datasetId}`);
      if (body.status_new === status) return body;
      if (body.status_new === 'ERROR') throw new Error(`the dataset failed: ${body.fatal_error_msg}`);
      if (Date.now() > began + limitMs) throw new Error(`still ${body.status_new} at ${body.progress} %`);
      await nextPoll(Math.max(Date.now() - asked, patience(began)));
    }
  }

  /** Polls until no task waits or runs, including tasks that start automatically after a dataset is READY. */
  async atRest(limitMs = 60_000): Promise<void> {
    const began = Date.now();
    for (;;) {
      const asked = Date.now();
      const { body } = await this.get<{ tasks: Task[] }>('/tasks?page_size=50&with_service=true');
      const running = body.tasks.filter(({ end_time }) => end_time === null);
      if (running.length === 0) return;
      if (Date.now() > began + limitMs) throw new Error(`not at rest in ${limitMs} ms: ${JSON.stringify(running)}`);
      await nextPoll(Math.max(Date.now() - asked, patience(began)));
    }
  }
}

export function form(fields: Record<string, string>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return body;
}

/** Request options that send a value as JSON. */
export function json(body: unknown): RequestInit {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** Repeats a query until its result passes the check or the limit is reached. Without a check, any truthy result passes. */
export async function until<T>(
  ask: () => Promise<T> | T,
  satisfied: (answer: T) => boolean = Boolean,
  limitMs = 60_000,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const asked = Date.now();
    const answer = await ask();
    if (satisfied(answer)) return answer;
    if (Date.now() > end) throw new Error(`not reached in ${limitMs} ms: ${JSON.stringify(answer)}`);
    await nextPoll(Date.now() - asked);
  }
}

/** Waits for a state that lasts poll less often the longer they take: frequent polls would take a tenth of a core. */
function patience(began: number): number {
  return Math.min(250, (Date.now() - began) / 10);
}

/** Slow queries are repeated less often, because they take resources from the work that they wait for. */
function nextPoll(tookMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(50, tookMs)));
}
