import { useState } from 'react';
import type { Workspace } from '../../../src-main/contract/schemas/workspace.ts';
import { useAccount } from '../../lib/account.ts';
import { useOperation } from '../../lib/use-operation.ts';

interface WorkspaceChoice {
  /** Workspaces in which the user may create datasets. Empty while loading. */
  workspaces: readonly Workspace[];
  /** The chosen workspace, else the user's own. undefined if there is no choice. */
  workspaceId: string | undefined;
  choose(workspaceId: string): void;
}

/** The workspace of a new dataset. */
export function useWorkspaceChoice(): WorkspaceChoice {
  const { data: account } = useAccount();
  const { data } = useOperation('list_workspaces', {}, { enabled: account?.single_workspace === false });
  const [chosen, choose] = useState<string | undefined>(undefined);
  const workspaces = (data?.workspaces ?? []).filter(({ permissions }) => permissions?.can_create_dataset === true);
  const has = (id: string | null | undefined) => workspaces.find((workspace) => workspace.id === id);
  const workspace = has(chosen) ?? has(account?.workspace_id) ?? workspaces[0];
  return { workspaces, workspaceId: workspace?.id, choose };
}
