import { useInfiniteQuery } from '@tanstack/react-query';
import { ListFilter, ScrollText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../src-main/contract/contract.ts';
import { AUDIT_ACTIONS, type AuditAction } from '../../../src-main/contract/schemas/audit.ts';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { Menu, MenuChoice } from '../../components/Menu.tsx';
import { Page } from '../../components/Page.tsx';
import { PendingContent } from '../../components/PendingContent.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { navigate } from '../../lib/location.ts';
import { routes, useAuditAction } from '../../lib/routes.ts';
import styles from './AuditPage.module.css';
import { AuditTable } from './AuditTable.tsx';

const PAGE_SIZE = 100;

type AuditPart = Result<'list_audit_entries'>;

/** The audit log, newest first. */
export function AuditPage() {
  const { t } = useTranslation();
  const named = useAuditAction();
  const action = AUDIT_ACTIONS.find((one) => one === named);
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery<
    AuditPart,
    ApiError,
    { pages: AuditPart[] },
    readonly unknown[],
    number | undefined
  >({
    queryKey: ['list_audit_entries', action],
    queryFn: ({ pageParam, signal }) =>
      api.list_audit_entries(
        {
          limit: PAGE_SIZE,
          ...(action !== undefined && { action }),
          ...(pageParam !== undefined && { before: pageParam }),
        },
        { signal },
      ),
    initialPageParam: undefined,
    getNextPageParam: ({ entries }) => (entries.length < PAGE_SIZE ? undefined : entries.at(-1)?.place),
  });
  const entries = data?.pages.flatMap((page) => page.entries);
  const bar = (
    <Bar title={t('audit.title')} back={routes.settings()}>
      <ActionFilter action={action} />
    </Bar>
  );
  if (entries === undefined) {
    return (
      <Page bar={bar}>
        <PendingContent error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Page bar={bar} scroll focusable>
      <p className={styles.note}>{t('audit.note')}</p>
      {entries.length === 0 ? (
        <StateMessage
          icon={<ScrollText size={24} strokeWidth={1.5} />}
          title={t('audit.emptyTitle')}
          text={action === undefined ? t('audit.empty') : t('audit.noMatch')}
          actions={
            action !== undefined && <Button onClick={() => navigate(routes.audit())}>{t('audit.showAll')}</Button>
          }
        />
      ) : (
        <>
          <AuditTable entries={entries} />
          {hasNextPage && (
            <div className={styles.older}>
              <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()} data-testid="audit-older">
                {t('audit.older')}
              </Button>
            </div>
          )}
        </>
      )}
    </Page>
  );
}

const ALL = '';

function ActionFilter({ action }: { action: AuditAction | undefined }) {
  const { t } = useTranslation();
  return (
    <Menu
      trigger={
        <Button icon={<ListFilter size={14} />} data-testid="audit-filter">
          {action === undefined ? t('audit.filter') : t(`audit.actions.${action}`)}
        </Button>
      }
    >
      <MenuChoice
        value={action ?? ALL}
        options={[
          { value: ALL, label: t('audit.all') },
          ...AUDIT_ACTIONS.map((one) => ({ value: one, label: t(`audit.actions.${one}`) })),
        ]}
        onChange={(next) => navigate(routes.audit(next === ALL ? undefined : next), { replace: true })}
      />
    </Menu>
  );
}
