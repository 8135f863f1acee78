import { isOperationId, operations } from '../contract/contract.ts';
import { AppError, type ErrorBody, errorBody } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import type { Core } from '../core/core.ts';
import type { IpcHost, IpcMessageEvent } from './electron-ipc.ts';
import { IpcSession, type KeptSession } from './ipc-session.ts';
import { type PickedInput, readPickedFiles } from './picked-files.ts';
import { Renderers } from './renderers.ts';

/** Channel of calls: takes an operation id and its input, returns an {@link InvokeReply}. */
export const INVOKE_CHANNEL = 'vitrine:invoke';
/** Channel by which a document subscribes to events or unsubscribes. */
export const SUBSCRIBE_CHANNEL = 'vitrine:subscribe';
/** Channel of AppEvents to subscribed documents. */
const EVENT_CHANNEL = 'vitrine:event';

/**
 * Failures are returned as values: Electron drops the code of a rejected handler and changes its text. `away`: the process of the core has
 * ended and is started again.
 */
export type InvokeReply = { ok: true; result: unknown } | { ok: false; error: ErrorBody; away?: true };

export interface MountIpcOptions {
  core: Core;
  ipc: IpcHost;
  /** Whether a message comes from the app's own page. */
  isTrustedSender: (event: IpcMessageEvent) => boolean;
  /** Folder for pasted images, which are deleted after the call. */
  temporaryFolder: string;
  /** Address of the HTTP server in signed media URLs. */
  baseUrl: string;
  session?: KeptSession;
}

/**
 * Serves the contract to renderers: every operation that answers with data, and the events of the core. Returns a function that removes
 * the handlers and aborts running calls.
 */
export function mountIpc(options: MountIpcOptions): () => void {
  const { core, ipc, isTrustedSender, temporaryFolder, baseUrl } = options;
  const renderers = new Renderers();
  const session = new IpcSession(core, options.session);

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
    // A document that is not signed in receives no events until it is.
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
  if (!isTrusted) throw new AppError('forbidden', message('ipc_of_other_window'));
}

/** @throws AppError `not_found` for an unknown operation, `invalid_request` for one that IPC does not serve. */
function assertCallable(operationId: unknown): string {
  if (typeof operationId !== 'string' || !isOperationId(operationId)) {
    throw new AppError('not_found', message('operation_unknown'));
  }
  const { reply } = operations[operationId];
  if (reply === 'file') throw new AppError('invalid_request', message('ipc_file_operation'));
  if (reply === 'redirect') throw new AppError('invalid_request', message('ipc_redirect_operation'));
  if (reply === 'stream') throw new AppError('invalid_request', message('ipc_stream_operation'));
  return operationId;
}

/** The core logs unexpected errors and throws only AppError; any other error comes from this adapter. */
function asAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('internal', message('unforeseen'));
}
