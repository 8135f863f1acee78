import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DatasetSource } from '../../../src-main/contract/schemas/watched-folder.ts';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Form } from '../../components/Form.tsx';
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
  const submit = () => {
    setMissing(path.trim() === '');
    if (path.trim() !== '') move.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog open onClose={onClose} title={t('data.moveTitle')} testId="move-source-dialog">
      <Form
        submit={t('data.moveConfirm')}
        sending={t('data.moving')}
        isPending={move.isPending}
        onSubmit={submit}
        onCancel={onClose}
        testId="move-submit"
      >
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
      </Form>
    </Dialog>
  );
}
