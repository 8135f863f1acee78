import { useMutation } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Message } from '../../../src-main/contract/messages.ts';
import type { DataCheck } from '../../../src-main/contract/schemas/recovery.ts';
import { Button } from '../../components/Button.tsx';
import { Section } from '../../components/Section.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { formatBytes, formatDateTime } from '../../lib/format.ts';
import { messageText } from '../../lib/message-text.ts';
import { isLive } from '../../lib/tasks.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './RecoveryPage.module.css';
import { TaskLine } from './TaskLine.tsx';

const LIVE_POLL_MS = 1000;

/** Starts a data check and shows the findings of the latest. */
export function CheckSection() {
  const { t } = useTranslation();
  const { data, error } = useOperation(
    'get_check',
    {},
    { refetchInterval: ({ state }) => (state.data?.check && isLive(state.data.check.task) ? LIVE_POLL_MS : false) },
  );
  const onSettled = useRefresh('get_check', 'list_tasks');
  const start = useMutation<{ task_id: string }, ApiError, void>({ mutationFn: () => api.check_data({}), onSettled });
  const check = data?.check ?? null;
  const isRunning = check !== null && isLive(check.task);
  const isSlow = isRunning && check.in_background;
  return (
    <Section title={t('recovery.check')} text={t('recovery.checkText')} error={start.error ?? error}>
      <div className={styles.actions}>
        <Button
          icon={<ShieldCheck size={16} strokeWidth={1.5} />}
          disabled={(isRunning && !isSlow) || start.isPending}
          onClick={() => start.mutate()}
          data-testid="check-data"
        >
          {isRunning && !isSlow ? t('recovery.checking') : t('recovery.checkNow')}
        </Button>
        {check !== null && !isRunning && <Outcome check={check} />}
        {isSlow && (
          <span className={styles.none} data-testid="check-in-background">
            {t('recovery.inBackground')}
          </span>
        )}
      </div>
      {isRunning && <TaskLine task={check.task} />}
      {check !== null && <Extent check={check} isRunning={isRunning} />}
      {check !== null && check.damaged.length > 0 && (
        <ul className={styles.events} data-testid="check-findings">
          {check.damaged.map(({ dataset_id, name, findings }) => (
            <li key={dataset_id} className={styles.event}>
              <span className={styles.kind}>{t(`recovery.kind.${isRestored(findings) ? 'repaired' : 'damaged'}`)}</span>
              <span className={styles.what}>
                <strong>{name}</strong> {findings.map((finding) => messageText(finding)).join('; ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Outcome({ check: { task, n_datasets, n_busy, damaged } }: { check: DataCheck }) {
  const { t } = useTranslation();
  const found =
    damaged.length === 0
      ? t('recovery.sound', { count: n_datasets })
      : t('recovery.damagedFound', { count: damaged.length });
  const busy = n_busy === 0 ? '' : ` ${t('recovery.busy', { count: n_busy })}`;
  return (
    <span role="status" data-testid="check-result">
      {task.status === 'COMPLETED' ? `${found}${busy}` : (messageText(task.failure) ?? t('recovery.checkStopped'))}
    </span>
  );
}

/** When the check ran, and how much it read. */
function Extent({ check, isRunning }: { check: DataCheck; isRunning: boolean }) {
  const { t } = useTranslation();
  const { task, n_datasets, read_bytes, backup_id, in_background } = check;
  const end = task.end_time ?? task.start_time;
  const facts = [
    isRunning
      ? t('recovery.since', { time: formatDateTime(task.start_time) })
      : t(in_background ? 'recovery.lastInBackground' : 'recovery.last', { time: formatDateTime(end) }),
    ...(n_datasets === 0 ? [] : [t('recovery.checkedDatasets', { count: n_datasets })]),
    ...(backup_id === null ? [] : [t('recovery.checkedBackup')]),
    ...(read_bytes === 0 ? [] : [t('recovery.read', { size: formatBytes(read_bytes) })]),
  ];
  return (
    <p className={styles.extent} data-testid="check-extent">
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
}

function isRestored(findings: readonly Message[]): boolean {
  return findings.every(({ code }) => code === 'originals_restored' || code === 'snapshot_blocks_restored');
}
