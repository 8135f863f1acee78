import { useMutation } from '@tanstack/react-query';
import { Database, Ellipsis, Hash, ImagePlus, Link, Share2, Trash, Upload } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../components/Menu.tsx';
import { ShareDialog } from '../../components/ShareDialog.tsx';
import { useAddMediaRequest } from '../../lib/add-media-request.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { isExplorable, stateOf } from '../../lib/datasets.ts';
import { navigate } from '../../lib/location.ts';
import { useNewDatasetRequest } from '../../lib/new-dataset-request.ts';
import { linkTo, routes } from '../../lib/routes.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

export function DatasetMenu({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation();
  const [deleting, setDeleting] = useState(false);
  const [sharing, setSharing] = useState(false);
  const open = useNewDatasetRequest((state) => state.open);
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={t('inventory.menu', { name: dataset.display_name, files: [] })}
            icon={<Ellipsis size={16} />}
            data-testid="dataset-menu"
          />
        }
      >
        {(stateOf(dataset) === 'draft' || stateOf(dataset) === 'uploading') && (
          <MenuItem
            icon={<Upload size={14} />}
            onSelect={() => open({ kind: 'resume', datasetId: dataset.id, name: dataset.display_name, files: [] })}
          >
            {t('inventory.resume')}
          </MenuItem>
        )}
        {isExplorable(dataset) && (
          <>
            <MenuItem icon={<ImagePlus size={14} />} onSelect={() => useAddMediaRequest.getState().open(dataset.id)}>
              {t('addMedia.menu')}
            </MenuItem>
            <MenuItem icon={<Database size={14} />} onSelect={() => navigate(routes.data(dataset.id))}>
              {t('data.title')}
            </MenuItem>
            <MenuItem icon={<Share2 size={14} />} onSelect={() => setSharing(true)}>
              {t('share.action')}
            </MenuItem>
            <MenuSeparator />
          </>
        )}
        <MenuItem
          icon={<Link size={14} />}
          onSelect={() => void navigator.clipboard.writeText(linkTo(routes.explore(dataset.id)))}
        >
          {t('inventory.copyUrl')}
        </MenuItem>
        <MenuItem icon={<Hash size={14} />} onSelect={() => void navigator.clipboard.writeText(dataset.id)}>
          {t('inventory.copyId')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash size={14} />} danger onSelect={() => setDeleting(true)}>
          {t('inventory.delete')}
        </MenuItem>
      </Menu>
      {sharing && <ShareDialog datasetId={dataset.id} name={dataset.display_name} onClose={() => setSharing(false)} />}
      {deleting && <DeleteDialog dataset={dataset} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DeleteDialog({ dataset, onClose }: { dataset: Dataset; onClose(): void }) {
  const { t } = useTranslation();
  const refresh = useRefresh('list_datasets', 'list_tasks');
  const remove = useMutation<unknown, ApiError>({
    mutationFn: () => api.delete_dataset({ dataset_id: dataset.id }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t('inventory.deleteTitle', { name: dataset.display_name, files: [] })}
      confirm={t('inventory.deleteConfirm')}
      busy={remove.isPending}
      error={remove.error?.detail}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('inventory.deleteText')}</p>
      <p>{t('inventory.deleteOriginals')}</p>
    </ConfirmDialog>
  );
}
