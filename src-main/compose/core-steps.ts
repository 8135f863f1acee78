import { takeIntoWorkspace } from '../core/accounts/primary-workspace.ts';
import type { CoreParts } from './core-parts.ts';
import type { Step } from './run-steps.ts';

/** Returns the start-up steps of composed services, in the order in which they run. */
export function startUpSteps(parts: CoreParts): Step[] {
  const { platform, datasets, models, indexing, metadata, snapshots, exports, recovery } = parts;
  const { catalog, folder, damageReports, isPassive } = platform;
  const { damage, recordKeeper, catalogKeeper } = recovery;
  const { meaning, watching } = indexing.services;
  const steps: Step[] = [
    { name: 'empty the temporary folder', run: () => folder.emptyTemporary() },
    {
      name: 'reconcile the catalog with the dataset folders',
      run: () => recovery.services.recovery.reconcile(platform.origin),
    },
    {
      name: 'move datasets without a workspace into the primary one',
      run: () => takeIntoWorkspace(catalog, platform.primaryWorkspaceId),
    },
    { name: 'delete originals that no snapshot holds', run: () => snapshots.orphaned.remove() },
    { name: 'inspect the dataset folders', run: () => damage.inspectFolders() },
    {
      name: 'receive reports of damaged datasets',
      run: () => damageReports.connect((damaged, reason) => damage.noteDamaged(damaged, reason)),
    },
    { name: 'release datasets whose enrichment ended', run: () => datasets.datasets.releaseEnriched() },
    { name: 'delete metadata files of earlier runs', run: () => metadata.services.metadata.sweep() },
    { name: 'delete expired exports', run: () => exports.keeper.sweep() },
    { name: 'keep dataset records up to date', run: () => recordKeeper.start() },
    { name: 'keep the copy of the catalog up to date', run: () => catalogKeeper.start() },
    { name: 'reserve disk space', run: () => folder.reserve.setAside() },
  ];
  const work: Step[] = [
    { name: 'discard uploads that were interrupted', run: () => indexing.receiving.discardInterrupted() },
    { name: 'resume tasks', run: () => datasets.runner.recover() },
    { name: 'delete exports when they expire', run: () => exports.keeper.start() },
    { name: 'watch folders', run: () => watching.start() },
    { name: 'follow changes of datasets and models', run: () => followChanges(parts) },
    { name: 'count the disk space of datasets', run: () => datasets.sizes.countUnknown() },
    { name: 'continue the accepted download of an encoder', run: () => void models.services.recommendation.resume() },
    { name: 'start encoding that waits for a model', run: () => void meaning.startRequested() },
    { name: 'inspect the datasets in the background', run: () => damage.startInspection() },
    { name: 'check all data in the background when it is due', run: () => recovery.scrub.start() },
  ];
  return isPassive ? steps : [...steps, ...work];
}

/** Returns the shutdown steps, in the order in which they run before the process exits. */
export function shutdownSteps({ platform, datasets, models, indexing, exports, recovery }: CoreParts): Step[] {
  const { catalog, folder, compute, comparer, inspector, stores, sources } = platform;
  const { damage, recordKeeper, catalogKeeper } = recovery;
  return [
    { name: 'start no more checks in the background', run: () => recovery.scrub.stop() },
    { name: 'stop the inspection of datasets', run: () => damage.stopInspection() },
    { name: 'delete no more exports', run: () => exports.keeper.stop() },
    { name: 'stop watching folders', run: () => indexing.services.watching.close() },
    { name: 'interrupt tasks', run: () => datasets.runner.close() },
    { name: 'stop counting the disk space of datasets', run: () => datasets.sizes.close() },
    { name: 'finish the removal of deleted datasets', run: () => datasets.remover.close() },
    { name: 'close the model store', run: () => models.store.close() },
    { name: 'end the compute processes', run: () => compute.close() },
    { name: 'end the inspection thread', run: () => inspector.close() },
    { name: 'close the snapshot comparison', run: () => comparer.close() },
    { name: 'close the dataset stores', run: () => stores.close() },
    { name: 'close the media sources', run: () => sources.close() },
    { name: 'write dataset records', run: () => recordKeeper.flush() },
    { name: 'write the copy of the catalog', run: () => catalogKeeper.close() },
    { name: 'close the catalog', run: () => catalog.close() },
    { name: 'release the data folder', run: () => folder.release() },
  ];
}

function followChanges({ platform, datasets, indexing, exports, recovery }: CoreParts): void {
  platform.events.subscribe(({ name, data }) => {
    if (name === 'dataset_deleted') exports.keeper.forgetDeleted();
    if (name === 'dataset_changed') datasets.sizes.noteChange(data.dataset_id);
    if (name === 'dataset_changed') recovery.damage.tellFound(data.dataset_id);
    if (name === 'models_changed' || name === 'dataset_changed') void indexing.services.meaning.startRequested();
  });
}
