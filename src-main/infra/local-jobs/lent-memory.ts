import type { Borrow } from '../images/decode-memory.ts';
import type { FromChild, ToChild } from './child-protocol.ts';

type AboutMemory = Extract<FromChild, { loan: number }>;

/** Loans of one compute process from the memory budget that all processes share. */
export class LentMemory {
  readonly #borrow: Borrow;
  readonly #send: (message: ToChild) => void;
  /** Functions that return a loan, by its number; undefined while the loan is pending. */
  readonly #loans = new Map<number, (() => void) | undefined>();
  #isClosed = false;

  constructor(borrow: Borrow, send: (message: ToChild) => void) {
    this.#borrow = borrow;
    this.#send = send;
  }

  /** Whether the process waits for memory; it is not hung then. */
  get isWaiting(): boolean {
    return [...this.#loans.values()].includes(undefined);
  }

  /** @returns Whether the message was about memory. */
  take(message: FromChild): message is AboutMemory {
    if (message.type === 'memory_requested') void this.#lend(message.loan, message.bytes);
    else if (message.type === 'memory_returned') this.#giveBack(message.loan);
    else return false;
    return true;
  }

  /** Returns all loans. Call it when the process has ended. */
  close(): void {
    this.#isClosed = true;
    for (const loan of [...this.#loans.keys()]) this.#giveBack(loan);
  }

  async #lend(loan: number, bytes: number): Promise<void> {
    this.#loans.set(loan, undefined);
    const giveBack = await this.#borrow(bytes);
    if (this.#isClosed) return giveBack();
    this.#loans.set(loan, giveBack);
    this.#send({ type: 'memory_lent', loan });
  }

  #giveBack(loan: number): void {
    this.#loans.get(loan)?.();
    this.#loans.delete(loan);
  }
}
