import { type FormEvent, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { Button } from '../../components/Button.tsx';
import form from '../../components/Form.module.css';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { messageText } from '../../lib/message-text.ts';
import { isLive, useRecentTasks } from '../../lib/tasks.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { BackupRow } from './BackupRow.tsx';
import styles from './RecoveryPage.module.css';
import { TaskLine } from './TaskLine.tsx';
import { useBackupActions } from './use-backup-actions.ts';

/** Starts a backup and lists existing ones. */
export function BackupSection() {
  const { t } = useTranslation();
  const { data, error, refetch } = useOperation('list_backups', {}, { retry: false });
  const latest = useRecentTasks().find(({ task_type }) => task_type === 'BACKUP');
  const end = latest?.end_time;
  useEffect(() => {
    if (end) void refetch();
  }, [end, refetch]);
  return (
    <Section title={t('backup.title')} text={t('backup.text')} error={error} testId="backups">
      {data === undefined && error === null ? (
        <Skeleton style={{ height: 96 }} />
      ) : (
        <BackupForm key={data?.folder ?? ''} folder={data?.folder ?? ''} latest={latest} />
      )}
      {data?.folder && !data.is_there && <p className={styles.problem}>{t('backup.away')}</p>}
      {data?.is_there !== false && data?.folder !== null && data?.backups.length === 0 && !latest && (
        <p className={styles.none}>{t('backup.none')}</p>
      )}
      <ul className={styles.events} data-testid="backup-list">
        {data?.backups.map((backup) => (
          <BackupRow key={backup.backup_id} backup={backup} />
        ))}
      </ul>
    </Section>
  );
}

function BackupForm({ folder, latest }: { folder: string; latest: Task | undefined }) {
  const { t } = useTranslation();
  const id = useId();
  const [path, setPath] = useState(folder);
  const { start } = useBackupActions();
  const runs = latest !== undefined && isLive(latest);
  const bridge = window.vitrine;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (path.trim() !== '' && !runs && !start.isPending) start.mutate(path);
  };
  const choose = async () => {
    const chosen = await bridge?.chooseFolder();
    if (chosen) setPath(chosen);
  };
  return (
    <form onSubmit={submit}>
      <div className={form.field}>
        <label htmlFor={`${id}-path`}>{t('backup.folder')}</label>
        <div className={styles.actions}>
          <input
            id={`${id}-path`}
            className={form.input}
            value={path}
            spellCheck={false}
            autoComplete="off"
            placeholder={t('backup.folderPlaceholder')}
            aria-invalid={start.error !== null}
            aria-describedby={`${id}-error`}
            data-testid="backup-folder"
            onChange={(event) => setPath(event.target.value)}
          />
          {bridge !== undefined && <Button onClick={() => void choose()}>{t('data.browse')}</Button>}
          <Button
            type="submit"
            kind="primary"
            className={styles.submit}
            disabled={runs || start.isPending || path.trim() === ''}
            data-testid="back-up"
          >
            {runs ? t('backup.running') : t('backup.now')}
          </Button>
        </div>
      </div>
      <p id={`${id}-error`} className={form.error} role="alert">
        {start.error?.detail}
      </p>
      {runs && <TaskLine task={latest} />}
      {latest !== undefined && !runs && (
        <p className={styles.none} role="status" data-testid="backup-result">
          {messageText(latest.failure) ??
            (latest.status === 'ABORTED' ? t('backup.stopped') : messageText(latest.outcome))}
        </p>
      )}
    </form>
  );
}
