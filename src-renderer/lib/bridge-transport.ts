import type { VitrineBridge } from '../../src-preload/bridge.ts';
import { ApiError, errorFromBody } from './api-error.ts';
import { useConnection } from './connection.ts';
import { isFilePart } from './http-transport.ts';
import type { Transport } from './transport.ts';

declare global {
  interface Window {
    vitrine?: VitrineBridge;
  }
}

/** IPC of the desktop app. Files are sent as paths, and the core reads them in place. Pasted files have no path and are sent as bytes. */
export function createBridgeTransport(bridge: VitrineBridge): Transport {
  const connection = useConnection.getState();
  bridge.onCoreAway((isAway) => (isAway ? connection.noteSilence() : connection.noteReturn()));
  return {
    async call(operation, input, options) {
      options.signal?.throwIfAborted();
      const reply = await bridge.invoke(operation, await withPaths(bridge, input));
      options.signal?.throwIfAborted();
      if (!reply.ok && reply.away) {
        connection.noteSilence();
        throw new ApiError('unreachable', errorFromBody(reply.error).detail);
      }
      connection.noteAnswer();
      if (!reply.ok) throw errorFromBody(reply.error);
      return reply.result;
    },
    subscribe: (listener) => {
      bridge.subscribe(listener);
      return { opened: Promise.resolve() };
    },
  };
}

async function withPaths(
  bridge: VitrineBridge,
  input: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const known = Object.entries(input).filter(([, value]) => value !== undefined);
  const sent = known.map(async ([name, value]) => [
    name,
    Array.isArray(value) ? await Promise.all(value.map((part) => asPath(bridge, part))) : await asPath(bridge, value),
  ]);
  return Object.fromEntries(await Promise.all(sent));
}

async function asPath(bridge: VitrineBridge, part: unknown): Promise<unknown> {
  if (!isFilePart(part)) return part;
  const { file, file_name } = part;
  const path = bridge.pathForFile(file);
  if (path === '') return { bytes: new Uint8Array(await file.arrayBuffer()), file_name };
  return { path, file_name, size_bytes: file.size, owned: false };
}
