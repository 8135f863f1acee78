import type { VitrineBridge } from '../../src-preload/bridge.ts';
import { errorFromBody } from './api-error.ts';
import { isFilePart } from './http-transport.ts';
import type { Transport } from './transport.ts';

declare global {
  interface Window {
    vitrine?: VitrineBridge;
  }
}

/** IPC of the desktop app. Files travel as their paths; the core reads them where they lie. */
export function createBridgeTransport(bridge: VitrineBridge): Transport {
  return {
    async call(operation, input, options) {
      options.signal?.throwIfAborted();
      const reply = await bridge.invoke(operation, withPaths(bridge, input));
      options.signal?.throwIfAborted();
      if (!reply.ok) throw errorFromBody(reply.error);
      return reply.result;
    },
    subscribe: (listener) => bridge.subscribe(listener),
  };
}

function withPaths(bridge: VitrineBridge, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    known.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((part) => asPath(bridge, part)) : asPath(bridge, value),
    ]),
  );
}

function asPath(bridge: VitrineBridge, part: unknown): unknown {
  if (!isFilePart(part)) return part;
  return {
    path: bridge.pathForFile(part.file),
    file_name: part.file_name,
    size_bytes: part.file.size,
    owned: false,
  };
}
