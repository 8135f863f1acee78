import { CopyPlus, Ellipsis, FileDiff, Hash, History, Pencil, Trash } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Snapshot } from '../../../src-main/contract/schemas/snapshot.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../components/Menu.tsx';
import { StateMark } from '../../components/StateMark.tsx';
import { useDataset, useMayOn } from '../../lib/datasets.ts';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { ChangesDialog } from './ChangesDialog.tsx';
import { SnapshotDialog } from './SnapshotDialog.tsx';
import styles from './Snapshots.module.css';
import { useSnapshotActions } from './use-snapshots.ts';

const MAX_NAME = 255;

interface SnapshotRowProps {
  datasetId: string;
  snapshot: Snapshot;
  /** Other snapshots of the dataset, newest first. */
  others: readonly Snapshot[];
  /** Called with a message when an action has started. */
  onDone(message: string): void;
}

/** One snapshot: contents, time, author and actions. */
export function SnapshotRow({ datasetId, snapshot, others, onDone }: SnapshotRowProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<'edit' | 'changes' | 'restore' | 'clone' | 'remove' | null>(null);
  const { snapshot_name, is_current, is_restoring, description, created_at, created_by, n_images, n_videos } = snapshot;
  const close = () => setAsking(null);
  const actions = useSnapshotActions(datasetId, snapshot.snapshot_id, (action) => {
    close();
    // The list itself shows that a snapshot is being restored.
    onDone(action === 'restore' ? '' : t(`snapshots.${action}Done`, { name: snapshot_name }));
  });
  const may = useMayOn(datasetId);
  // A dataset that is not ready cannot be stored first.
  const isReady = useDataset(datasetId).data?.status_new === 'READY';
  const keepAs = isReady ? t('snapshots.beforeRestore', { name: snapshot_name }).slice(0, MAX_NAME) : undefined;
  const confirmed = asking === null || asking === 'edit' || asking === 'changes' ? undefined : asking;
  return (
    <li className={styles.row} data-testid="snapshot-row" data-current={is_current}>
      <div className={styles.main}>
        <h3 className={styles.name} title={snapshot_name}>
          {snapshot_name}
        </h3>
        {(is_current || is_restoring) && (
          <StateMark tone={is_restoring ? 'busy' : 'ok'} testId="snapshot-state">
            {is_restoring ? t('snapshots.restoring') : t('snapshots.current')}
          </StateMark>
        )}
        {description !== '' && <p className={styles.description}>{description}</p>}
        <p className={styles.facts}>
          <span title={formatDateTime(created_at)}>{formatAgo(created_at, Date.now())}</span>
          <span>{t('common.images', { count: n_images })}</span>
          {n_videos > 0 && <span>{t('common.videos', { count: n_videos })}</span>}
          <span>{snapshot.reason === 'manual' ? created_by : t(`snapshots.reason.${snapshot.reason}`)}</span>
        </p>
      </div>
      <Menu
        trigger={
          <IconButton
            label={t('snapshots.menu', { name: snapshot_name })}
            icon={<Ellipsis size={16} />}
            data-testid="snapshot-menu"
          />
        }
      >
        {may('update_snapshot') && (
          <MenuItem icon={<Pencil size={14} />} onSelect={() => setAsking('edit')}>
            {t('snapshots.edit')}
          </MenuItem>
        )}
        <MenuItem icon={<FileDiff size={14} />} onSelect={() => setAsking('changes')}>
          {t('snapshots.changes')}
        </MenuItem>
        {may('clone_snapshot') && (
          <MenuItem icon={<CopyPlus size={14} />} onSelect={() => setAsking('clone')}>
            {t('snapshots.clone')}
          </MenuItem>
        )}
        <MenuItem icon={<Hash size={14} />} onSelect={() => void navigator.clipboard.writeText(snapshot.snapshot_id)}>
          {t('snapshots.copyId')}
        </MenuItem>
        {may('restore_snapshot') && (
          <MenuItem icon={<History size={14} />} onSelect={() => setAsking('restore')}>
            {t('snapshots.restore')}
          </MenuItem>
        )}
        {!is_current && may('delete_snapshot') && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Trash size={14} />} danger onSelect={() => setAsking('remove')}>
              {t('snapshots.remove')}
            </MenuItem>
          </>
        )}
      </Menu>
      {asking === 'edit' && <SnapshotDialog datasetId={datasetId} snapshot={snapshot} onClose={close} />}
      {asking === 'changes' && (
        <ChangesDialog datasetId={datasetId} snapshot={snapshot} others={others} onClose={close} />
      )}
      {confirmed !== undefined && (
        <ConfirmDialog
          title={t(`snapshots.${confirmed}Title`, { name: snapshot_name })}
          confirm={t(`snapshots.${confirmed}`)}
          kind={confirmed === 'remove' || (confirmed === 'restore' && keepAs === undefined) ? 'danger' : 'primary'}
          busy={actions[confirmed].isPending}
          error={actions[confirmed].error?.detail}
          onConfirm={() => actions[confirmed].mutate(confirmed === 'restore' ? keepAs : undefined)}
          onClose={close}
        >
          <p>
            {confirmed === 'restore'
              ? t(keepAs === undefined ? 'snapshots.restoreUnkeptText' : 'snapshots.restoreText', { name: keepAs })
              : t(`snapshots.${confirmed}Text`)}
          </p>
        </ConfirmDialog>
      )}
    </li>
  );
}
