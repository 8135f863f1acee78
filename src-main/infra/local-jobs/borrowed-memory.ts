import type { Borrow } from '../images/decode-memory.ts';
import type { FromChild } from './child-protocol.ts';

/** Images that need fewer bytes are decoded without a request, which would delay the many small ones. */
const FREE_BYTES = 24 * 1024 * 1024;

/** Requests memory for a compute process from the core process. */
export function borrowedMemory(send: (message: FromChild) => void): { borrow: Borrow; lent(loan: number): void } {
  const waiting = new Map<number, () => void>();
  let loans = 0;
  return {
    borrow: async (bytes) => {
      if (bytes <= FREE_BYTES) return () => undefined;
      loans += 1;
      const loan = loans;
      await new Promise<void>((begin) => {
        waiting.set(loan, begin);
        send({ type: 'memory_requested', loan, bytes });
      });
      return () => send({ type: 'memory_returned', loan });
    },
    lent: (loan) => {
      waiting.get(loan)?.();
      waiting.delete(loan);
    },
  };
}
