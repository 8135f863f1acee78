import { useMutation } from '@tanstack/react-query';
import { Check, RotateCcw, Trash, UserCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Assignment } from '../../../src-main/contract/schemas/teamwork.ts';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import rows from '../../components/Rows.module.css';
import { Segmented } from '../../components/Segmented.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { readFilters } from '../../lib/filters.ts';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { useHashPath } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './AssignedPage.module.css';

/** Items that are assigned to the user, and those that the user assigned to others. */
export function AssignedPage() {
  const { t } = useTranslation();
  const [list, setList] = useState<'own' | 'others'>('own');
  const { data, error, refetch } = useOperation('list_assignments', {});
  const shown = data?.filter(({ is_own }) => is_own === (list === 'own'));
  return (
    <Page
      bar={
        <Bar title={t('assigned.title')}>
          <Segmented
            label={t('assigned.title')}
            value={list}
            options={[
              { value: 'own', label: t('assigned.own') },
              { value: 'others', label: t('assigned.others') },
            ]}
            onChange={(next) => setList(next === 'others' ? 'others' : 'own')}
            testId="assigned-lists"
          />
        </Bar>
      }
    >
      {shown === undefined ? (
        error === null ? (
          <Skeleton style={{ height: 240, margin: 16 }} />
        ) : (
          <QueryError error={error} onRetry={() => void refetch()} />
        )
      ) : shown.length === 0 ? (
        <StateMessage
          icon={<UserCheck size={24} strokeWidth={1.5} />}
          title={t(`assigned.none.${list}`)}
          text={t('assigned.hint')}
          testId="nothing-assigned"
        />
      ) : (
        <ul className={styles.list}>
          {shown.map((assignment) => (
            <AssignmentRow key={assignment.assignment_id} assignment={assignment} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function AssignmentRow({ assignment }: { assignment: Assignment }) {
  const { t } = useTranslation();
  const { assignment_id, dataset_id, dataset_name, title, note, entity_type, vql, is_own, done_at, created_at } =
    assignment;
  const onSettled = useRefresh('list_assignments');
  const finish = useMutation<unknown, ApiError, boolean>({
    mutationFn: (done) => api.set_assignment_done({ assignment_id, done }),
    onSettled,
  });
  const remove = useMutation<unknown, ApiError>({
    mutationFn: () => api.delete_assignment({ assignment_id }),
    onSettled,
  });
  const address = routes.explore(dataset_id, { type: entity_type, flat: 'similarity', filters: readFilters(vql) });
  const error = finish.error ?? remove.error;
  const who = is_own
    ? t('assigned.by', { who: assignment.assigned_by })
    : t('assigned.to', { who: assignment.assignee_name || assignment.assignee_email });
  return (
    <li className={rows.row} data-done={done_at !== null} data-testid="assignment">
      <span className={`${rows.main} ${styles.main}`}>
        <a className={styles.name} href={useHashPath.hrefs(address)} title={title}>
          {title}
        </a>
        <span className={styles.facts}>
          {dataset_name} · {who} · <time title={formatDateTime(created_at)}>{formatAgo(created_at, Date.now())}</time>
          {done_at !== null && ` · ${t('assigned.done')}`}
        </span>
        {note !== '' && <span className={styles.note}>{note}</span>}
        {error !== null && <span role="alert">{error.detail}</span>}
      </span>
      {is_own && (
        <Button
          icon={done_at === null ? <Check size={14} /> : <RotateCcw size={14} />}
          disabled={finish.isPending}
          onClick={() => finish.mutate(done_at === null)}
          data-testid="finish-assignment"
        >
          {t(done_at === null ? 'assigned.finish' : 'assigned.reopen')}
        </Button>
      )}
      {!is_own && (
        <IconButton
          label={t('assigned.delete')}
          icon={<Trash size={14} />}
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
          data-testid="delete-assignment"
        />
      )}
    </li>
  );
}
