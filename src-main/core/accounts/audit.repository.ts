import type { AuditAction, AuditEntry } from '../../contract/schemas/audit.ts';
import type { Catalog } from '../ports/catalog.ts';

type AuditRow = Omit<AuditEntry, 'details'> & { details: string };

export class AuditRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  insert(entry: Omit<AuditEntry, 'place'>): void {
    this.#catalog.run(
      `INSERT INTO audit_entry (at, actor, action, subject, ip_address, details)
       VALUES (:at, :actor, :action, :subject, :ip_address, :details)`,
      { ...entry, details: JSON.stringify(entry.details) },
    );
  }

  /** Newest first. @param before Returns only entries before this position. */
  list(filter: { action: AuditAction | undefined; before: number | undefined; limit: number }): AuditEntry[] {
    const { action = null, before = Number.MAX_SAFE_INTEGER, limit } = filter;
    const rows =
      action === null
        ? this.#catalog.all<AuditRow>(
            'SELECT * FROM audit_entry WHERE place < :before ORDER BY place DESC LIMIT :limit',
            { before, limit },
          )
        : this.#catalog.all<AuditRow>(
            'SELECT * FROM audit_entry WHERE action = :action AND place < :before ORDER BY place DESC LIMIT :limit',
            { action, before, limit },
          );
    return rows.map((row) => ({ ...row, details: JSON.parse(row.details) as AuditEntry['details'] }));
  }

  count(action: AuditAction | undefined): number {
    const counted =
      action === undefined
        ? this.#catalog.find<{ n: number }>('SELECT count(*) AS n FROM audit_entry')
        : this.#catalog.find<{ n: number }>('SELECT count(*) AS n FROM audit_entry WHERE action = :action', { action });
    return counted?.n ?? 0;
  }

  deleteBefore(at: string): void {
    this.#catalog.run('DELETE FROM audit_entry WHERE at < :at', { at });
  }
}
