import { useState } from 'react';
import type { Workspace } from '../../../src-main/contract/schemas/workspace.ts';
import { useAccount } from '../../lib/account.ts';
import { useOperation } from '../../lib/use-operation.ts';

interface WorkspaceChoice {
  /** That the person may make datasets in; empty while it is not known. */
  workspaces: readonly Workspace[];
  /** The one that was chosen, else the person's own; undefined where there is nothing to choose from. */
  workspaceId: string | undefined;
  choose(workspaceId: string): void;
}

/** Which workspace a new dataset is for. */
export function useWorkspaceChoice(): WorkspaceChoice {
  const { data: account } = useAccount();
  const { data } = useOperation('list_workspaces', {}, { enabled: account?.single_workspace === false });
  const [chosen, choose] = useState<string | undefined>(undefined);
  const workspaces = (data?.workspaces ?? []).filter(({ permissions }) => permissions?.can_create_dataset === true);
  const has = (id: string | null | undefined) => workspaces.find((workspace) => workspace.id === id);
  const workspace = has(chosen) ?? has(account?.workspace_id) ?? workspaces[0];
  return { workspaces, workspaceId: workspace?.id, choose };
}
