import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DatasetSource } from '../../../src-main/contract/schemas/watched-folder.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { LocationField } from '../../components/LocationField.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import { PathText } from './PathText.tsx';

interface MoveSourceDialogProps {
  datasetId: string;
  source: DatasetSource;
  onClose(): void;
}

/** Asks for the new location of a dataset's folder. */
export function MoveSourceDialog({ datasetId, source, onClose }: MoveSourceDialogProps) {
  const { t } = useTranslation();
  const refresh = useRefresh('list_sources', 'list_watched_folders');
  const [path, setPath] = useState(source.available ? (source.path ?? '') : '');
  const [missing, setMissing] = useState(false);
  const move = useMutation<unknown, ApiError>({
    mutationFn: () => api.move_source({ dataset_id: datasetId, source_id: source.source_id, path }),
    onSuccess: refresh,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(path.trim() === '');
    if (path.trim() !== '' && !move.isPending) move.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog open onClose={onClose} title={t('data.moveTitle')} testId="move-source-dialog">
      <form className={form.form} onSubmit={submit}>
        <p className={form.hint}>{t('data.moveText')}</p>
        <div className={form.field}>
          <span className={form.hint}>{t('data.moveFrom')}</span>
          <PathText path={source.path ?? ''} />
        </div>
        <LocationField
          location={path}
          takes="folder"
          testId="move-path"
          error={missing ? t('data.watchPathNeeded') : move.error?.detail}
          onChange={(next) => {
            setPath(next);
            setMissing(false);
            move.reset();
          }}
        />
        <footer className={form.footer}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={move.isPending} data-testid="move-submit">
            {move.isPending ? t('data.moving') : t('data.moveConfirm')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
