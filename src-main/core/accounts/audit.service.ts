import type { Input, Output } from '../../contract/contract.ts';
import type { AuditAction } from '../../contract/schemas/audit.ts';
import type { CallContext } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Clock } from '../ports/clock.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { AuditRepository } from './audit.repository.ts';

export interface AuditParts {
  rows: AuditRepository;
  settings: SettingsService;
  clock: Clock;
}

const DAY_MS = 24 * 3600 * 1000;
/** Maximum length of stored names, in characters: callers may choose names of any length. */
const MAX_CHARACTERS = 300;

/** The audit log: who did what, readable by admins. Entries must not contain secrets. */
export class AuditService {
  readonly #parts: AuditParts;
  #sweptAtMs = Number.NEGATIVE_INFINITY;

  /** The operations that this service handles. */
  readonly handlers = {
    list_audit_entries: (context, input) => this.list(context, input),
  } satisfies SomeHandlers;

  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  /**
   * Records an action of a caller. Joins the caller's transaction, so that the action and its entry commit together.
   * @param subject Name of the object of the action, as users see it.
   */
  note(
    { principal, address }: Pick<CallContext, 'principal' | 'address'>,
    action: AuditAction,
    subject: string,
    details: Readonly<Record<string, unknown>> = {},
  ): void {
    this.noteOf(principal.email, address, action, subject, details);
  }

  /** As `note`, for a caller who is not signed in: recorded under the name that the caller gave. */
  noteOf(
    actor: string,
    address: string,
    action: AuditAction,
    subject: string,
    details: Readonly<Record<string, unknown>> = {},
  ): void {
    const { rows, clock } = this.#parts;
    this.#sweep();
    rows.insert({
      at: clock.iso(),
      actor: actor.slice(0, MAX_CHARACTERS),
      action,
      subject: subject.slice(0, MAX_CHARACTERS),
      ip_address: address,
      details: { ...details },
    });
  }

  list(_context: CallContext, { action, before, limit }: Input<'list_audit_entries'>): Output<'list_audit_entries'> {
    const { rows } = this.#parts;
    return { entries: rows.list({ action, before, limit }), total: rows.count(action) };
  }

  /** Deletes entries older than the setting allows; runs once a day. */
  #sweep(): void {
    const { rows, settings, clock } = this.#parts;
    const nowMs = clock.now();
    if (nowMs - this.#sweptAtMs < DAY_MS) return;
    this.#sweptAtMs = nowMs;
    rows.deleteBefore(new Date(nowMs - settings.number('AUDIT_DAYS') * DAY_MS).toISOString());
  }
}
