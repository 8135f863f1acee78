import { isOperationId, operations } from '../../src-main/contract/contract.ts';
import { ERROR_STATUS, type ErrorBody } from '../../src-main/contract/errors.ts';
import type { AppEvent, AppEventName } from '../../src-main/contract/events.ts';
import { type OperationSpec, pathParameters } from '../../src-main/contract/operation.ts';
import { ApiError, errorFromBody } from './api-error.ts';
import { useConnection } from './connection.ts';
import { send } from './send-form.ts';
import { useSession } from './session.ts';
import type { Transport } from './transport.ts';

const BASE = '/api/v1';
/** Maximum wait for the event stream before a page renders. Missed changes are fetched when it opens. */
const OPEN_LIMIT_MS = 1000;
/** Delay before a refused stream is requested again. */
const REOPEN_MS = 5000;

/** Event names of the stream. The type keeps the list complete. */
const EVENT_NAMES: Record<AppEventName, true> = {
  dataset_changed: true,
  dataset_deleted: true,
  task_changed: true,
  models_changed: true,
  views_changed: true,
  teamwork_changed: true,
  notifications_changed: true,
  settings_changed: true,
  access_changed: true,
  sessions_ended: true,
};

/** HTTP on the page's own origin. Method, path, query and body follow from the contract. */
export function createHttpTransport(): Transport {
  return {
    async call(operation, input, options) {
      if (!isOperationId(operation)) throw new ApiError('invalid_request', `There is no operation ${operation}`);
      const request = buildRequest(operations[operation], input);
      let response: Response;
      try {
        response =
          options.onSent === undefined
            ? await fetch(request.url, { ...request.init, signal: options.signal ?? null })
            : await send(request, options.onSent, options.signal);
      } catch (error) {
        if (options.signal?.aborted) throw error;
        useConnection.getState().noteSilence();
        throw new ApiError('unreachable', 'Vitrine does not answer');
      }
      useConnection.getState().noteAnswer();
      if (!response.ok) throw await errorFrom(response);
      return operations[operation].reply === 'text' ? response.text() : readJson(response);
    },
    subscribe(listener) {
      const opened = Promise.withResolvers<void>();
      let source: EventSource;
      let isOpen = false;
      let hasMissed = false;
      const goOnWithout = () => {
        hasMissed ||= !isOpen;
        opened.resolve();
      };
      setTimeout(goOnWithout, OPEN_LIMIT_MS);
      const open = () => {
        source = new EventSource(`${BASE}/events`);
        // The stream breaks at once when the core stops, also without requests. Browsers do not retry a refused stream.
        source.addEventListener('error', () => {
          isOpen = false;
          if (source.readyState === EventSource.CLOSED) void onRefused();
          else void onBroken();
          goOnWithout();
        });
        source.addEventListener('open', () => {
          isOpen = true;
          if (hasMissed) useConnection.getState().noteReturn();
          hasMissed = false;
          opened.resolve();
        });
        for (const name of Object.keys(EVENT_NAMES)) {
          source.addEventListener(name, (message: MessageEvent<string>) => {
            const event: AppEvent = JSON.parse(`{"name":${JSON.stringify(name)},"data":${message.data}}`);
            listener(event);
            if (event.name === 'access_changed') reopen();
          });
        }
      };
      // The core ended the stream because the account's rights changed. Later answers reflect the new rights.
      const reopen = () => {
        isOpen = false;
        hasMissed = true;
        source.close();
        open();
      };
      // If the core responds, only the stream was closed, possibly by a proxy.
      const onBroken = async () => {
        const { url, init } = buildRequest(operations.healthcheck, {});
        await fetch(url, init).catch(() => useConnection.getState().noteSilence());
      };
      // A stream does not report why it is refused.
      const onRefused = async () => {
        const { begins, noteEnd } = useSession.getState();
        const { url, init } = buildRequest(operations.get_account, {});
        const answer = await fetch(url, init).catch(() => undefined);
        if (answer?.status === ERROR_STATUS.unauthenticated) noteEnd(begins);
        else setTimeout(open, REOPEN_MS);
      };
      open();
      useSession.subscribe((now, before) => {
        if (now.begins !== before.begins) reopen();
      });
      return { opened: opened.promise };
    },
  };
}

/** Splits an operation's input into path, query string and body. Exported for tests. */
function buildRequest(
  spec: OperationSpec,
  input: Readonly<Record<string, unknown>>,
): { url: string; init: RequestInit } {
  const inPath = new Set(pathParameters(spec.path));
  const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const query = new URLSearchParams();
  const body: [string, unknown][] = [];
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || inPath.has(name)) continue;
    if (spec.body === 'none' || spec.query?.includes(name)) query.set(name, String(value));
    else body.push([name, value]);
  }
  const search = query.size > 0 ? `?${query}` : '';
  const init: RequestInit = { method: spec.method };
  // Marks the request as made by a script of this page, for GETs over plain HTTP to another machine, which browsers do not mark.
  if (spec.method === 'GET') init.headers = { 'x-requested-with': 'vitrine' };
  if (spec.body === 'json') {
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(Object.fromEntries(body));
  } else if (spec.body === 'form') {
    init.body = formOf(body);
  }
  return { url: `${BASE}${path}${search}`, init };
}

function formOf(entries: readonly [string, unknown][]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (isFilePart(part)) form.append(name, part.file, part.file_name);
      else form.append(name, String(part));
    }
  }
  return form;
}

/** A file with its name for the server, which may include the folders that it was dropped with. */
export interface FilePart {
  file: File;
  file_name: string;
}

export function isFilePart(value: unknown): value is FilePart {
  return typeof value === 'object' && value !== null && 'file' in value && value.file instanceof File;
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

async function errorFrom(response: Response): Promise<ApiError> {
  const fallback = new ApiError('internal', `The server answered ${response.status}`);
  try {
    const body: Partial<ErrorBody> = await response.json();
    return body.detail === undefined
      ? fallback
      : errorFromBody({ code: 'internal', ...body, detail: String(body.detail) });
  } catch {
    return fallback;
  }
}
