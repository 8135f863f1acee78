import { type Arguments, type CallableOperationId, operations, type Result } from '../../src-main/contract/contract.ts';
import { isForAnyone } from '../../src-main/contract/permissions.ts';
import { ApiError } from './api-error.ts';
import { createBridgeTransport } from './bridge-transport.ts';
import { createHttpTransport, type FilePart } from './http-transport.ts';
import { useSession } from './session.ts';
import type { CallOptions, Transport } from './transport.ts';

/** Uploads are passed as files. Each transport sends them in its own way. */
type Sendable<T> = {
  [K in keyof T]: K extends 'files' ? readonly FilePart[] : K extends 'file' | 'archive' ? FilePart : T[K];
};

export type ApiInput<Id extends CallableOperationId> = Sendable<Arguments<Id>>;

export type Api = {
  readonly [Id in CallableOperationId]: (input: ApiInput<Id>, options?: CallOptions) => Promise<Result<Id>>;
};

/** The typed client over a transport: one method per operation of the contract. Reports to {@link useSession} whether the user is signed in. */
function createApi(transport: Transport): Api {
  const methods = Object.entries(operations).map(([id, { permission }]) => [
    id,
    async (input: Readonly<Record<string, unknown>>, options: CallOptions = {}) => {
      const { begins, ended, noteAnswer, noteEnd } = useSession.getState();
      try {
        const result = await transport.call(id, input, options);
        if (ended && !isForAnyone(permission)) noteAnswer();
        return result;
      } catch (error) {
        // A refused login says nothing about an existing session.
        const isRefused = error instanceof ApiError && error.code === 'unauthenticated' && !isForAnyone(permission);
        if (isRefused) noteEnd(begins);
        throw error;
      }
    },
  ]);
  // The contract is iterated by name, so the types per operation come from the contract only.
  return Object.fromEntries(methods) as Api;
}

export const transport: Transport =
  window.vitrine === undefined ? createHttpTransport() : createBridgeTransport(window.vitrine);

export const api = createApi(transport);
