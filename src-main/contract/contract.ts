import type {
  OperationArguments,
  OperationInput,
  OperationOutput,
  OperationResult,
  OperationSpec,
} from './operation.ts';
import { accountOperations } from './operations/accounts.ts';
import { addMediaOperations } from './operations/add-media.ts';
import { auditOperations } from './operations/audit.ts';
import { backupOperations } from './operations/backups.ts';
import { chartOperations } from './operations/charts.ts';
import { customMetadataOperations } from './operations/custom-metadata.ts';
import { datasetOperations } from './operations/datasets.ts';
import { duplicateOperations } from './operations/duplicates.ts';
import { editingOperations } from './operations/editing.ts';
import { enrichmentOperations } from './operations/enrichment.ts';
import { exploreOperations } from './operations/explore.ts';
import { exportFileOperations, exportOperations } from './operations/exports.ts';
import { ingestionOperations } from './operations/ingestion.ts';
import { mapOperations } from './operations/map.ts';
import { mediaOperations } from './operations/media.ts';
import { modelOperations } from './operations/models.ts';
import { notificationOperations } from './operations/notifications.ts';
import { queryImageOperations } from './operations/query-images.ts';
import { recoveryOperations } from './operations/recovery.ts';
import { reviewOperations } from './operations/review.ts';
import { settingOperations } from './operations/settings.ts';
import { sharingOperations } from './operations/sharing.ts';
import { snapshotOperations } from './operations/snapshots.ts';
import { systemOperations } from './operations/system.ts';
import { taskOperations } from './operations/tasks.ts';
import { teamworkOperations } from './operations/teamwork.ts';
import { userOperations } from './operations/users.ts';
import { vectorOperations } from './operations/vectors.ts';
import { viewOperations } from './operations/views.ts';
import { watchedFolderOperations } from './operations/watched-folders.ts';
import { workspaceOperations } from './operations/workspaces.ts';

/** Every operation that the core answers, by id. The ids are the IPC methods, the client's calls and OpenAPI's operationIds. */
export const contract = {
  ...systemOperations,
  ...accountOperations,
  ...datasetOperations,
  ...ingestionOperations,
  ...addMediaOperations,
  ...exploreOperations,
  ...queryImageOperations,
  ...editingOperations,
  ...reviewOperations,
  ...customMetadataOperations,
  ...sharingOperations,
  ...teamworkOperations,
  ...duplicateOperations,
  ...mapOperations,
  ...vectorOperations,
  ...chartOperations,
  ...exportOperations,
  ...exportFileOperations,
  ...mediaOperations,
  ...snapshotOperations,
  ...viewOperations,
  ...notificationOperations,
  ...taskOperations,
  ...modelOperations,
  ...enrichmentOperations,
  ...watchedFolderOperations,
  ...recoveryOperations,
  ...backupOperations,
  ...settingOperations,
  ...auditOperations,
  ...userOperations,
  ...workspaceOperations,
};

export type Contract = typeof contract;
export type OperationId = keyof Contract;

export type Input<Id extends OperationId> = OperationInput<Contract[Id]>;
export type Output<Id extends OperationId> = OperationOutput<Contract[Id]>;
export type Arguments<Id extends OperationId> = OperationArguments<Contract[Id]>;
export type Result<Id extends OperationId> = OperationResult<Contract[Id]>;

/** Operations that the typed client can call: all except files and streams, which browsers fetch by URL. */
export type CallableOperationId = Exclude<
  OperationId,
  | keyof typeof mediaOperations
  | keyof typeof exportFileOperations
  | 'stream_events'
  | 'stream_notifications'
  | 'begin_oidc_login'
  | 'finish_oidc_login'
>;

/** The same table without the per-operation types, for code that walks it. */
export const operations: Readonly<Record<OperationId, OperationSpec>> = contract;

export function isOperationId(id: string): id is OperationId {
  return Object.hasOwn(contract, id);
}
