import { type Arguments, type CallableOperationId, operations, type Result } from '../../src-main/contract/contract.ts';
import { isForAnyone } from '../../src-main/contract/permissions.ts';
import { ApiError } from './api-error.ts';
import { createBridgeTransport } from './bridge-transport.ts';
import { createHttpTransport, type FilePart } from './http-transport.ts';
import { useSession } from './session.ts';
import type { CallOptions, Transport } from './transport.ts';

/** Uploads are given as files; each transport sends them in its own way. */
type Sendable<T> = {
  [K in keyof T]: K extends 'files' ? readonly FilePart[] : K extends 'file' | 'archive' ? FilePart : T[K];
};

export type ApiInput<Id extends CallableOperationId> = Sendable<Arguments<Id>>;

export type Api = {
  readonly [Id in CallableOperationId]: (input: ApiInput<Id>, options?: CallOptions) => Promise<Result<Id>>;
};

/** The typed client over a transport: one method an operation of the contract. Answers tell {@link useSession} whether one is signed in. */
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
        // A login that is refused says nothing about the session that there may be.
        const isRefused = error instanceof ApiError && error.code === 'unauthenticated' && !isForAnyone(permission);
        if (isRefused) noteEnd(begins);
        throw error;
      }
    },
  ]);
  // The table is walked by name, so the per-operation types are only known from the contract.
  return Object.fromEntries(methods) as Api;
}

export const transport: Transport =
  window.vitrine === undefined ? createHttpTransport() : createBridgeTransport(window.vitrine);

export const api = createApi(transport);
