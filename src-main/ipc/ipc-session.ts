import { isOperationId, operations } from '../contract/contract.ts';
import { AppError } from '../contract/errors.ts';
import type { AppEvent } from '../contract/events.ts';
import { message } from '../contract/messages.ts';
import type { StartedSession } from '../contract/operation.ts';
import { isForAnyone } from '../contract/permissions.ts';
import { ANONYMOUS, type CallContext, type Caller, type Core, type Principal } from '../core/core.ts';

/** The app's own window. */
const WINDOW: Caller = { address: 'desktop', client: 'Vitrine' };

/** Where a session token is kept while the core's process is started again. */
export interface KeptSession {
  token: string | undefined;
  onChange(token: string | undefined): void;
}

/** Calls of the app's windows with their login session. The session token stays in this process; the page never sees it. */
export class IpcSession {
  readonly #core: Core;
  readonly #onChange: KeptSession['onChange'] | undefined;
  #token: string | undefined;
  /** The principal of the last call. */
  #principal: Principal | undefined;

  constructor(core: Core, kept?: KeptSession) {
    this.#core = core;
    this.#token = kept?.token;
    this.#onChange = kept?.onChange;
  }

  /** @throws AppError `unauthenticated`. */
  async authenticate(): Promise<Principal> {
    try {
      this.#principal = await this.#core.authenticate({ bearer: undefined, session: this.#token });
      return this.#principal;
    } catch (error) {
      this.#principal = undefined;
      throw error;
    }
  }

  /** Whether the windows may receive an event. After a change of their account's rights they receive only that event until their next call. */
  mayHear(event: AppEvent): boolean {
    const principal = this.#principal;
    const isEnd = event.name === 'access_changed' || event.name === 'sessions_ended';
    if (principal === undefined || !(isEnd || this.#core.isSignedIn(principal))) return false;
    const hears = this.#core.mayHear(principal, event);
    if (hears && isEnd) this.#principal = undefined;
    return hears;
  }

  /** @throws AppError as the operation does. */
  async invoke(id: string, input: unknown, call: Pick<CallContext, 'signal' | 'baseUrl'>): Promise<unknown> {
    const operation = isOperationId(id) ? operations[id] : undefined;
    const isOpen = operation !== undefined && isForAnyone(operation.permission);
    const principal = isOpen ? ANONYMOUS : await this.authenticate();
    if (call.signal.aborted) throw new AppError('unavailable', message('caller_gone'));
    const result = await this.#core.invoke(id, input, { ...WINDOW, ...call, principal });
    if (operation?.session === 'end') {
      this.#keep(undefined);
      this.#principal = undefined;
    }
    if (operation?.session !== 'begin') return result;
    const { session, ...answer } = result as StartedSession;
    this.#keep(session.token);
    return answer;
  }

  #keep(token: string | undefined): void {
    this.#token = token;
    this.#onChange?.(token);
  }
}
