import { isOperationId, operations } from '../contract/contract.ts';
import { AppError, type ErrorBody, errorBody } from '../contract/errors.ts';
import type { Core } from '../core/core.ts';
import type { IpcHost, IpcMessageEvent } from './electron-ipc.ts';
import { IpcSession } from './ipc-session.ts';
import { type PickedInput, readPickedFiles } from './picked-files.ts';
import { Renderers } from './renderers.ts';

/** Operation id and input in, {@link InvokeReply} out. */
export const INVOKE_CHANNEL = 'vitrine:invoke';
/** Whether the calling document wants events. */
const SUBSCRIBE_CHANNEL = 'vitrine:subscribe';
/** An AppEvent, to the documents that want them. */
const EVENT_CHANNEL = 'vitrine:event';

/** Failures are values: what Electron makes of a rejected handler carries neither a code nor clean text. */
export type InvokeReply = { ok: true; result: unknown } | { ok: false; error: ErrorBody };

export interface MountIpcOptions {
  core: Core;
  ipc: IpcHost;
  /** Whether a message comes from the app's own page. */
  isTrustedSender: (event: IpcMessageEvent) => boolean;
  /** Where what was pasted is written for the time of a call. */
  temporaryFolder: string;
  /** Address of the HTTP server that the signed media URLs lead to. */
  baseUrl: string;
}

/**
 * Serves the contract to renderers: every operation that answers with data, and the events of the core. Returns a function that takes
 * it all down and aborts the calls that still run.
 */
export function mountIpc(options: MountIpcOptions): () => void {
  const { core, ipc, isTrustedSender, temporaryFolder, baseUrl } = options;
  const renderers = new Renderers();
  const session = new IpcSession(core);

  ipc.handle(INVOKE_CHANNEL, async (event, operationId, input): Promise<InvokeReply> => {
    let picked: PickedInput | undefined;
    try {
      assertTrusted(isTrustedSender(event));
      const id = assertCallable(operationId);
      const files = isOperationId(id) ? operations[id].files : undefined;
      picked = files && (await readPickedFiles(input, Object.keys(files), temporaryFolder));
      const result = await renderers.duringCall(event.sender, (signal) =>
        session.invoke(id, picked ? picked.input : (input ?? {}), { signal, baseUrl }),
      );
      return { ok: true, result: result ?? null };
    } catch (error) {
      return { ok: false, error: errorBody(asAppError(error)) };
    } finally {
      await picked?.discard();
    }
  });
  ipc.handle(SUBSCRIBE_CHANNEL, (event, isSubscribed) => {
    if (!isTrustedSender(event)) return;
    renderers.setSubscribed(event.sender, isSubscribed === true);
    // Whoever may not be let in yet hears nothing until they are.
    void session.authenticate().catch(() => undefined);
  });
  const unsubscribe = core.subscribe((event) => {
    if (session.mayHear(event)) renderers.broadcast(EVENT_CHANNEL, event);
  });

  return () => {
    unsubscribe();
    ipc.removeHandler(INVOKE_CHANNEL);
    ipc.removeHandler(SUBSCRIBE_CHANNEL);
    renderers.clear();
  };
}

function assertTrusted(isTrusted: boolean): void {
  if (!isTrusted) throw new AppError('forbidden', 'Only the windows of Vitrine may call it');
}

/** @throws AppError `not_found` for an unknown operation, `invalid_request` for one that has no form over IPC. */
function assertCallable(operationId: unknown): string {
  if (typeof operationId !== 'string' || !isOperationId(operationId)) {
    throw new AppError('not_found', 'There is no such operation');
  }
  const { reply } = operations[operationId];
  if (reply === 'file') throw new AppError('invalid_request', 'Files are fetched by their URL, not called');
  if (reply === 'redirect') throw new AppError('invalid_request', 'This leads a browser elsewhere');
  if (reply === 'stream') throw new AppError('invalid_request', 'Events are subscribed to, not called');
  return operationId;
}

/** The core logs what it did not foresee and throws nothing but AppError; anything else is a fault of this adapter. */
function asAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('internal', 'Something went wrong inside Vitrine.');
}
