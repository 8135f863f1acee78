import { useMutation } from '@tanstack/react-query';
import { ChevronDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Workspace } from '../../../src-main/contract/schemas/workspace.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../components/Menu.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useAccount, useMay } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './People.module.css';

interface WorkspaceChoiceProps {
  /** Defaults to the primary workspace. */
  workspaceId: string | undefined;
  onChange(workspaceId: string): void;
}

/** Selects the workspace whose members are listed, and creates workspaces. */
export function WorkspaceChoice({ workspaceId, onChange }: WorkspaceChoiceProps) {
  const { t } = useTranslation();
  const may = useMay();
  const [creating, setCreating] = useState(false);
  const { data: account } = useAccount();
  const { data } = useOperation('list_workspaces', {});
  const workspaces = data?.workspaces ?? [];
  const value = workspaceId ?? account?.workspace_id ?? '';
  const name = workspaces.find(({ id }) => id === value)?.name ?? '';
  return (
    <>
      <Menu
        align="start"
        trigger={
          <Button
            className={styles.workspace}
            icon={<ChevronDown size={14} />}
            title={name}
            aria-label={t('members.workspaceNamed', { name })}
            data-testid="workspace-choice"
          >
            {name}
          </Button>
        }
      >
        <MenuChoice
          value={value}
          options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={onChange}
        />
        {may('create_workspace') && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Plus size={14} />} onSelect={() => setCreating(true)}>
              {t('members.newWorkspace')}
            </MenuItem>
          </>
        )}
      </Menu>
      {creating && (
        <NewWorkspaceDialog
          onCreated={(workspace) => {
            onChange(workspace.id);
            setCreating(false);
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}

function NewWorkspaceDialog({ onCreated, onClose }: { onCreated(workspace: Workspace): void; onClose(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const onSettled = useRefresh('list_workspaces');
  const create = useMutation<Workspace, ApiError>({
    mutationFn: () => api.create_workspace({ name: name.trim() }),
    onSuccess: onCreated,
    onSettled,
  });
  return (
    <Dialog open onClose={onClose} title={t('members.newWorkspace')} testId="new-workspace-dialog">
      <Form
        submit={t('members.create')}
        isPending={create.isPending}
        isComplete={name.trim() !== ''}
        onSubmit={() => create.mutate()}
        onCancel={onClose}
      >
        <TextField
          label={t('members.workspaceName')}
          value={name}
          maxLength={255}
          autoComplete="off"
          error={create.error?.detail}
          onChange={setName}
        />
      </Form>
    </Dialog>
  );
}
