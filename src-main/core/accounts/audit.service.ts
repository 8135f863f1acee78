import type { Input, Output } from '../../contract/contract.ts';
import type { AuditAction } from '../../contract/schemas/audit.ts';
import type { CallContext } from '../core.ts';
import type { Clock } from '../ports/clock.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { AuditRepository } from './audit.repository.ts';

export interface AuditParts {
  rows: AuditRepository;
  settings: SettingsService;
  clock: Clock;
}

const DAY_MS = 24 * 3600 * 1000;
/** Names that callers choose may be of any length. */
const MAX_CHARACTERS = 300;

/** Who did what, for admins to read. Nothing that is noted may be a secret. */
export class AuditService {
  readonly #parts: AuditParts;
  #sweptAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  /**
   * Notes what a caller did; joins the caller's transaction, so that nothing is done without being noted.
   * @param subject What it was done to, as a person names it.
   */
  note(
    { principal, address }: Pick<CallContext, 'principal' | 'address'>,
    action: AuditAction,
    subject: string,
    details: Readonly<Record<string, unknown>> = {},
  ): void {
    this.noteOf(principal.email, address, action, subject, details);
  }

  /** The same of somebody who is not signed in: by the name that they gave. */
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

  /** Deletes what is older than the setting says, once a day. */
  #sweep(): void {
    const { rows, settings, clock } = this.#parts;
    const nowMs = clock.now();
    if (nowMs - this.#sweptAtMs < DAY_MS) return;
    this.#sweptAtMs = nowMs;
    rows.deleteBefore(new Date(nowMs - settings.number('AUDIT_DAYS') * DAY_MS).toISOString());
  }
}
