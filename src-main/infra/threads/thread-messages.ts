import { AppError, type ErrorCode } from '../../contract/errors.ts';

/** What either side of a thread sends: calls with their answers, and the order to end after the calls before it. */
export type ThreadMessage = ThreadCall | ThreadAnswer | { kind: 'close' };

export interface ThreadCall {
  kind: 'call';
  id: number;
  method: string;
  args: unknown[];
}

export type ThreadAnswer =
  | { kind: 'answer'; id: number; ok: true; value: unknown }
  | { kind: 'answer'; id: number; ok: false; message: string; code: ErrorCode | undefined; stack: string | undefined };

/** Runs a method and puts what comes of it into a message. */
export async function answer(
  call: ThreadCall,
  run: () => unknown,
  asError = (caught: unknown): unknown => caught,
): Promise<ThreadAnswer> {
  try {
    return { kind: 'answer', id: call.id, ok: true, value: await run() };
  } catch (caught) {
    const known = asError(caught);
    const error = known instanceof Error ? known : new Error(String(known));
    const code = error instanceof AppError ? error.code : undefined;
    return { kind: 'answer', id: call.id, ok: false, message: error.message, code, stack: error.stack };
  }
}

/** The method of an object, or of the first of several that has it. @throws Error when none has. */
export function methodOf(owners: readonly object[], name: string): (...args: unknown[]) => unknown {
  const owner = owners.find((candidate) => name in candidate);
  const method: unknown = owner && Reflect.get(owner, name);
  if (typeof method !== 'function') throw new Error(`there is no ${name} to call`);
  return method.bind(owner) as (...args: unknown[]) => unknown;
}
