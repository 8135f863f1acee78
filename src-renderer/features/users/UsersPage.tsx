import { ChevronLeft, ChevronRight, SearchX, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Page } from '../../components/Page.tsx';
import { PendingContent } from '../../components/PendingContent.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useMay } from '../../lib/account.ts';
import { navigate } from '../../lib/location.ts';
import { routes, type UsersPlace, useUsersPlace } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { CreateUserDialog } from './CreateUserDialog.tsx';
import styles from './People.module.css';
import { PeopleSwitch } from './PeopleSwitch.tsx';
import { UserTable } from './UserTable.tsx';

const PAGE_SIZE = 50;

/** Users with their roles for user management. */
export function UsersPage() {
  const { t } = useTranslation();
  const may = useMay();
  const place = useUsersPlace();
  const [creating, setCreating] = useState(false);
  const { data, error, refetch } = useOperation(
    'list_users',
    {
      max_results: PAGE_SIZE,
      first: (place.page - 1) * PAGE_SIZE,
      ...(place.find !== undefined && { search: place.find }),
    },
    { placeholderData: (previous) => previous },
  );
  /** A new search starts at the first page. */
  const go = (change: Partial<UsersPlace>) =>
    navigate(routes.users({ ...place, page: 1, ...change }), { replace: true });
  const bar = (
    <Bar
      title={t('users.title')}
      back={routes.inventory()}
      facts={data !== undefined && <span>{t('users.count', { count: data.total })}</span>}
      query={
        <>
          <PeopleSwitch at="users" />
          <SearchField
            label={t('users.search')}
            value={place.find ?? ''}
            onChange={(text) => go({ find: text === '' ? undefined : text })}
          />
        </>
      }
    >
      {data !== undefined && data.total > PAGE_SIZE && (
        <Pager page={place.page} total={data.total} onPage={(page) => go({ page })} />
      )}
      {may('create_user') && (
        <Button kind="primary" icon={<UserPlus size={16} />} onClick={() => setCreating(true)} data-testid="new-user">
          {t('users.create')}
        </Button>
      )}
    </Bar>
  );
  return (
    <Page bar={bar} scroll>
      {data === undefined ? (
        <PendingContent error={error} onRetry={() => void refetch()} />
      ) : data.users.length === 0 ? (
        <StateMessage
          icon={<SearchX size={24} strokeWidth={1.5} />}
          title={t('users.emptyTitle')}
          text={place.find === undefined ? undefined : t('users.empty', { text: place.find })}
          actions={<Button onClick={() => navigate(routes.users())}>{t('users.showAll')}</Button>}
        />
      ) : (
        <div className={styles.scroller}>
          <UserTable users={data.users} />
        </div>
      )}
      {creating && <CreateUserDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Pager({ page, total, onPage }: { page: number; total: number; onPage(page: number): void }) {
  const { t } = useTranslation();
  const from = (page - 1) * PAGE_SIZE + 1;
  return (
    <>
      <span className={styles.range}>{t('users.pageOf', { from, to: Math.min(total, page * PAGE_SIZE), total })}</span>
      <IconButton
        label={t('users.previousPage')}
        icon={<ChevronLeft size={16} />}
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        label={t('users.nextPage')}
        icon={<ChevronRight size={16} />}
        disabled={page * PAGE_SIZE >= total}
        onClick={() => onPage(page + 1)}
      />
    </>
  );
}
