import { Download, FolderInput, RotateCw, Tags, Trash, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelPackage } from '../../../src-main/contract/schemas/model.ts';
import { Button } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { useMay } from '../../lib/account.ts';
import type { PackagedModel } from './group-by-type.ts';
import { LabelsDialog } from './LabelsDialog.tsx';
import styles from './ModelActions.module.css';
import type { usePackageActions } from './use-model-actions.ts';

interface ModelActionsProps {
  files: ModelPackage;
  model: PackagedModel;
  downloadsOff: boolean;
  actions: ReturnType<typeof usePackageActions>;
  onImport(): void;
}

/** Actions for a model in its current state. */
export function ModelActions({ files, model, downloadsOff, actions, onImport }: ModelActionsProps) {
  const may = useMay();
  if (model.status === 'Coming Soon' || !may('import_models')) return null;
  return (
    <div className={styles.actions}>
      {files.state === 'installed' ? (
        <Installed files={files} model={model} actions={actions} />
      ) : files.state === 'downloading' ? (
        <Cancel files={files} actions={actions} />
      ) : downloadsOff || !files.can_download ? (
        <ImportInstead files={files} downloadsOff={downloadsOff} onImport={onImport} />
      ) : (
        <Fetch files={files} actions={actions} />
      )}
    </div>
  );
}

type Part = Pick<ModelActionsProps, 'files' | 'actions'>;

function Fetch({ files, actions: { download } }: Part) {
  const { t } = useTranslation();
  const { name, state, received_bytes } = files;
  const [text, label] =
    state === 'failed'
      ? [t('common.retry'), t('models.tryAgainNamed', { name })]
      : received_bytes > 0
        ? [t('models.resume'), t('models.resumeNamed', { name })]
        : [t('models.download'), t('models.downloadNamed', { name })];
  return (
    <Button
      icon={state === 'failed' ? <RotateCw size={14} /> : <Download size={14} />}
      aria-label={label}
      disabled={download.isPending}
      onClick={() => download.mutate()}
      data-testid="download-model"
    >
      {text}
    </Button>
  );
}

function ImportInstead({
  files,
  downloadsOff,
  onImport,
}: Pick<ModelActionsProps, 'files' | 'downloadsOff' | 'onImport'>) {
  const { t } = useTranslation();
  return (
    <>
      <span className={styles.off}>{t(files.can_download && downloadsOff ? 'models.off' : 'models.importOnly')}</span>
      <Button
        icon={<FolderInput size={14} />}
        aria-label={t('models.importNamed', { name: files.name })}
        onClick={onImport}
      >
        {t('models.importMore')}
      </Button>
    </>
  );
}

function Cancel({ files, actions: { cancel } }: Part) {
  const { t } = useTranslation();
  return (
    <Button
      icon={<X size={14} />}
      aria-label={t('models.cancelNamed', { name: files.name })}
      disabled={cancel.isPending}
      onClick={() => cancel.mutate()}
      data-testid="cancel-download"
    >
      {t('common.cancel')}
    </Button>
  );
}

function Installed({ files, model, actions: { remove } }: Omit<ModelActionsProps, 'downloadsOff' | 'onImport'>) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'labels' | 'remove' | null>(null);
  const close = () => {
    setOpen(null);
    remove.reset();
  };
  return (
    <>
      {model.labels_editable && (
        <IconButton
          label={t('models.labels', { name: model.name })}
          icon={<Tags size={16} />}
          onClick={() => setOpen('labels')}
          data-testid="edit-labels"
        />
      )}
      <IconButton
        label={t('models.remove', { name: files.name })}
        icon={<Trash size={16} />}
        onClick={() => setOpen('remove')}
        data-testid="remove-model"
      />
      {open === 'labels' && <LabelsDialog model={model} onClose={close} />}
      {open === 'remove' && (
        <ConfirmDialog
          title={t('models.removeTitle', { name: files.name })}
          confirm={t('models.removeConfirm')}
          busy={remove.isPending}
          error={remove.error?.detail}
          onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
          onClose={close}
        >
          <p>{files.origin === 'own' ? t('models.removeOwnText') : t('models.removeText')}</p>
          <p>{t('models.removeKept')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
