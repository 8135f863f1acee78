import {
  CopyPlus,
  Database,
  Download,
  Ellipsis,
  EyeOff,
  Hash,
  History,
  ImagePlus,
  Info,
  Link,
  Pencil,
  Share2,
  Trash,
  Upload,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../components/Menu.tsx';
import { ShareDialog } from '../../components/ShareDialog.tsx';
import { type May, useIsShared, useMay } from '../../lib/account.ts';
import { useAddMediaRequest } from '../../lib/add-media-request.ts';
import { isExplorable, stateOf } from '../../lib/datasets.ts';
import { useExportRequest } from '../../lib/export-request.ts';
import { navigate } from '../../lib/location.ts';
import { useNewDatasetRequest } from '../../lib/new-dataset-request.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { linkTo, routes } from '../../lib/routes.ts';
import { useSnapshotsRequest } from '../../lib/snapshots-request.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DuplicateDialog } from './DuplicateDialog.tsx';
import { InfoDialog } from './InfoDialog.tsx';
import { RenameDialog } from './RenameDialog.tsx';

type DatasetDialog = 'info' | 'rename' | 'duplicate' | 'share' | 'delete';

export function DatasetMenu({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<DatasetDialog>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={t('inventory.menu', { name: dataset.display_name })}
            icon={<Ellipsis size={16} />}
            data-testid="dataset-menu"
          />
        }
      >
        <DatasetMenuItems dataset={dataset} onDialog={setDialog} />
      </Menu>
      {dialog === 'info' && <InfoDialog dataset={dataset} onClose={close} />}
      {dialog === 'rename' && <RenameDialog dataset={dataset} onClose={close} />}
      {dialog === 'duplicate' && <DuplicateDialog dataset={dataset} onClose={close} />}
      {dialog === 'share' && <ShareDialog datasetId={dataset.id} name={dataset.display_name} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog dataset={dataset} onClose={close} />}
    </>
  );
}

function dismiss(datasetId: string): void {
  const { dismissedDatasets, set } = usePreferences.getState();
  set({ dismissedDatasets: [...dismissedDatasets, datasetId] });
}

/** A component of its own, so that it is only rendered while the menu is open. */
function DatasetMenuItems({ dataset, onDialog }: { dataset: Dataset; onDialog(dialog: DatasetDialog): void }) {
  const { t } = useTranslation();
  const open = useNewDatasetRequest((state) => state.open);
  const mayCall = useMay();
  // Without sign-in, nobody else has an account.
  const isShared = useIsShared();
  const may: May = (operation) => mayCall(operation, dataset);
  return (
    <>
      {(stateOf(dataset) === 'draft' || stateOf(dataset) === 'uploading') && may('upload_files') && (
        <MenuItem
          icon={<Upload size={14} />}
          onSelect={() => open({ kind: 'resume', datasetId: dataset.id, name: dataset.display_name, files: [] })}
        >
          {t('inventory.resume')}
        </MenuItem>
      )}
      {isExplorable(dataset) && (
        <>
          {may('add_media') && (
            <MenuItem icon={<ImagePlus size={14} />} onSelect={() => useAddMediaRequest.getState().open(dataset.id)}>
              {t('addMedia.menu')}
            </MenuItem>
          )}
          <MenuItem icon={<Database size={14} />} onSelect={() => navigate(routes.data(dataset.id))}>
            {t('data.title')}
          </MenuItem>
          {may('export_dataset_async') && (
            <MenuItem icon={<Download size={14} />} onSelect={() => useExportRequest.getState().open(dataset.id)}>
              {t('exports.action')}
            </MenuItem>
          )}
          {may('list_snapshots') && (
            <MenuItem icon={<History size={14} />} onSelect={() => useSnapshotsRequest.getState().open(dataset.id)}>
              {t('snapshots.title')}
            </MenuItem>
          )}
          {isShared && may('invite') && (
            <MenuItem icon={<Share2 size={14} />} onSelect={() => onDialog('share')}>
              {t('share.action')}
            </MenuItem>
          )}
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={<Info size={14} />} onSelect={() => onDialog('info')}>
        {t('inventory.info')}
      </MenuItem>
      {may('update_dataset') && (
        <MenuItem icon={<Pencil size={14} />} onSelect={() => onDialog('rename')}>
          {t('inventory.rename')}
        </MenuItem>
      )}
      {stateOf(dataset) === 'ready' && may('create_snapshot') && (
        <MenuItem icon={<CopyPlus size={14} />} onSelect={() => onDialog('duplicate')}>
          {t('inventory.duplicate')}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem
        icon={<Link size={14} />}
        onSelect={() => void navigator.clipboard.writeText(linkTo(routes.explore(dataset.id)))}
      >
        {t('inventory.copyUrl')}
      </MenuItem>
      <MenuItem icon={<Hash size={14} />} onSelect={() => void navigator.clipboard.writeText(dataset.id)}>
        {t('inventory.copyId')}
      </MenuItem>
      {stateOf(dataset) === 'failed' && (
        <MenuItem icon={<EyeOff size={14} />} onSelect={() => dismiss(dataset.id)}>
          {t('inventory.dismiss')}
        </MenuItem>
      )}
      {may('delete_dataset') && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash size={14} />} danger onSelect={() => onDialog('delete')}>
            {t('inventory.delete')}
          </MenuItem>
        </>
      )}
    </>
  );
}
