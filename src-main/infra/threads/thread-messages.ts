import { AppError, type ErrorCode } from '../../contract/errors.ts';
import type { Message } from '../../contract/messages.ts';
import type { ServedMethods } from './thread-port.ts';

/** Messages that either side of a thread sends: calls, answers, and the order to close after the previous calls. */
export type ThreadMessage = ThreadCall | ThreadAnswer | { kind: 'close' };

export interface ThreadCall {
  kind: 'call';
  id: number;
  /** `subject.method`. */
  method: string;
  args: unknown[];
}

export type ThreadAnswer =
  | { kind: 'answer'; id: number; ok: true; value: unknown }
  | { kind: 'answer'; id: number; ok: false; error: SentError };

/** An error as it is sent between threads. `known`: the fields of an AppError, which is thrown again as an AppError. */
export interface SentError {
  message: string;
  stack: string | undefined;
  known: { code: ErrorCode; reason: Message; fields: Record<string, string> | undefined } | undefined;
}

/** Runs a method and returns its result or error as a message. */
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
    return { kind: 'answer', id: call.id, ok: false, error: sentError(error) };
  }
}

function sentError(error: Error): SentError {
  const known =
    error instanceof AppError ? { code: error.code, reason: error.reason, fields: error.fields } : undefined;
  return { message: error.message, stack: error.stack, known };
}

/** @throws Error when there is no such method. */
export function methodOf(served: ServedMethods, key: string): (...args: unknown[]) => unknown {
  const method = Object.hasOwn(served, key) ? served[key] : undefined;
  if (!method) throw new Error(`The thread serves no method ${key}`);
  return method;
}
