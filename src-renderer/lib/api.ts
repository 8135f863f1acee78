import { type Arguments, type CallableOperationId, operations, type Result } from '../../src-main/contract/contract.ts';
import { createBridgeTransport } from './bridge-transport.ts';
import { createHttpTransport, type FilePart } from './http-transport.ts';
import type { CallOptions, Transport } from './transport.ts';

/** Uploads are given as files; each transport sends them in its own way. */
type Sendable<T> = {
  [K in keyof T]: K extends 'files' ? readonly FilePart[] : K extends 'file' | 'archive' ? FilePart : T[K];
};

export type ApiInput<Id extends CallableOperationId> = Sendable<Arguments<Id>>;

export type Api = {
  readonly [Id in CallableOperationId]: (input: ApiInput<Id>, options?: CallOptions) => Promise<Result<Id>>;
};

/** The typed client over a transport: one method an operation of the contract. */
function createApi(transport: Transport): Api {
  const methods = Object.keys(operations).map((id) => [
    id,
    (input: Readonly<Record<string, unknown>>, options: CallOptions = {}) => transport.call(id, input, options),
  ]);
  // The table is walked by name, so the per-operation types are only known from the contract.
  return Object.fromEntries(methods) as Api;
}

export const transport: Transport =
  window.vitrine === undefined ? createHttpTransport() : createBridgeTransport(window.vitrine);

export const api = createApi(transport);
