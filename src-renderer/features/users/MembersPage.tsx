import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Member } from '../../../src-main/contract/schemas/workspace.ts';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { Page } from '../../components/Page.tsx';
import { PendingContent } from '../../components/PendingContent.tsx';
import { useAccount, useMay } from '../../lib/account.ts';
import { routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { AddMemberByNameDialog } from './AddMemberByNameDialog.tsx';
import { AddMemberDialog } from './AddMemberDialog.tsx';
import { ChangeRoleDialog, type RoleChange } from './ChangeRoleDialog.tsx';
import { MemberTable } from './MemberTable.tsx';
import styles from './People.module.css';
import { PeopleSwitch } from './PeopleSwitch.tsx';
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx';
import { WorkspaceChoice } from './WorkspaceChoice.tsx';

/** Members of a workspace and their roles. */
export function MembersPage() {
  const { t } = useTranslation();
  const may = useMay();
  const { data: account } = useAccount();
  const [workspaceId, setWorkspaceId] = useState<string | undefined>(undefined);
  const [changing, setChanging] = useState<RoleChange | null>(null);
  const [removing, setRemoving] = useState<Member | null>(null);
  const [adding, setAdding] = useState(false);
  const of = workspaceId === undefined ? {} : { workspace_id: workspaceId };
  const { data, error, refetch } = useOperation('list_members', of);
  const { data: access } = useOperation('get_settings_access', of);
  const isSingle = account?.single_workspace !== false;
  const manages = access?.can_manage === true;
  const bar = (
    <Bar
      title={t('members.title')}
      back={routes.inventory()}
      facts={data !== undefined && <span>{t('members.count', { count: data.total })}</span>}
      query={
        <>
          <PeopleSwitch at="members" />
          {!isSingle && <WorkspaceChoice workspaceId={workspaceId} onChange={setWorkspaceId} />}
        </>
      }
    >
      {!isSingle && manages && (
        <Button kind="primary" icon={<UserPlus size={16} />} onClick={() => setAdding(true)} data-testid="add-member">
          {t('members.add')}
        </Button>
      )}
    </Bar>
  );
  return (
    <Page bar={bar} scroll focusable={!manages}>
      {data === undefined ? (
        <PendingContent error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={styles.scroller}>
          <MemberTable
            members={data.members}
            manages={manages}
            onChange={(member, role) => setChanging({ member, role })}
            onRemove={isSingle ? undefined : setRemoving}
          />
        </div>
      )}
      {changing !== null && (
        <ChangeRoleDialog change={changing} of={of} isSingle={isSingle} onClose={() => setChanging(null)} />
      )}
      {removing !== null && <RemoveMemberDialog member={removing} of={of} onClose={() => setRemoving(null)} />}
      {adding &&
        (may('list_users') ? (
          <AddMemberDialog members={data?.members ?? []} of={of} onClose={() => setAdding(false)} />
        ) : (
          <AddMemberByNameDialog of={of} onClose={() => setAdding(false)} />
        ))}
    </Page>
  );
}
