import { AppError } from '../../contract/errors.ts';
import type { SentError, ThreadAnswer, ThreadCall } from './thread-messages.ts';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Calls that one side has made to the other and that are not answered yet. */
export class CallsUnderWay {
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  get size(): number {
    return this.#waiting.size;
  }

  make(post: (call: ThreadCall) => void, method: string, args: unknown[]): Promise<unknown> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      post({ kind: 'call', id, method, args });
    });
  }

  settle(answer: ThreadAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.ok) waiting?.resolve(answer.value);
    else waiting?.reject(errorOf(answer.error));
  }

  /** Rejects all calls, because no answer will arrive any more. */
  abandon(error: unknown): void {
    const abandoned = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of abandoned) waiting.reject(error);
  }
}

function errorOf({ message, stack, known }: SentError): Error {
  if (known) return new AppError(known.code, known.reason, known.fields);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
