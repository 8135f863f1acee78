import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../../../src-main/contract/schemas/audit.ts';
import table from '../../components/Table.module.css';
import { formatDateTime } from '../../lib/format.ts';
import styles from './AuditPage.module.css';

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTranslation();
  return (
    <table className={`${table.table} ${table.page} ${styles.table}`} data-testid="audit-table">
      <thead>
        <tr>
          <th className={styles.time}>{t('audit.time')}</th>
          <th className={styles.actor}>{t('audit.actor')}</th>
          <th className={styles.action}>{t('audit.action')}</th>
          <th>{t('audit.subject')}</th>
          <th className={styles.details}>{t('audit.details')}</th>
          <th className={styles.address}>{t('audit.address')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ place, at, actor, action, subject, ip_address, details }) => {
          const more = wordsOf(details);
          return (
            <tr key={place} data-testid="audit-row" data-action={action}>
              <td className={styles.time} title={at}>
                {formatDateTime(at)}
              </td>
              <td className={styles.actor} title={actor}>
                {actor}
              </td>
              <td className={styles.action} title={action}>
                {t(`audit.actions.${action}`)}
              </td>
              <td title={subject}>{subject}</td>
              <td className={styles.details} title={more}>
                {more}
              </td>
              <td className={styles.address} title={ip_address}>
                {ip_address}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function wordsOf(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
