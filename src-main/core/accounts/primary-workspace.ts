import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';

const NAME = 'Default';

/** Creates the first organization and workspace if none exists. @returns The id of the primary workspace, which is the oldest. */
export function ensurePrimaryWorkspace(catalog: Catalog, clock: Clock, ids: Ids): string {
  return catalog.transaction(() => {
    const known = findPrimaryWorkspace(catalog);
    if (known !== undefined) return known;
    const row = { organization_id: ids.uuid(), workspace_id: ids.uuid(), name: NAME, created_at: clock.iso() };
    const { workspace_id, ...organization } = row;
    catalog.run('INSERT INTO organization VALUES (:organization_id, :name, :created_at, NULL)', organization);
    catalog.run('INSERT INTO workspace VALUES (:workspace_id, :organization_id, :name, :created_at, NULL)', row);
    return workspace_id;
  });
}

function findPrimaryWorkspace(catalog: Catalog): string | undefined {
  return catalog.find<{ workspace_id: string }>('SELECT workspace_id FROM workspace ORDER BY created_at, rowid LIMIT 1')
    ?.workspace_id;
}

/** Assigns datasets without a workspace, such as those found beside the catalog, to this workspace. */
export function takeIntoWorkspace(catalog: Catalog, workspaceId: string): void {
  catalog.run(
    `UPDATE dataset SET workspace_id = :workspace_id
     WHERE workspace_id IS NULL OR workspace_id NOT IN (SELECT workspace_id FROM workspace)`,
    { workspace_id: workspaceId },
  );
}
