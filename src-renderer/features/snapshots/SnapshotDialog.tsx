import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Snapshot } from '../../../src-main/contract/schemas/snapshot.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { useSaveSnapshot } from './use-snapshots.ts';

interface SnapshotDialogProps {
  datasetId: string;
  /** The snapshot to edit. Undefined to create one. */
  snapshot?: Snapshot;
  onClose(): void;
}

/** Asks for the name and description of a snapshot. */
export function SnapshotDialog({ datasetId, snapshot, onClose }: SnapshotDialogProps) {
  const { t } = useTranslation();
  const [nameId, descriptionId] = [useId(), useId()];
  const [name, setName] = useState(snapshot?.snapshot_name ?? '');
  const [description, setDescription] = useState(snapshot?.description ?? '');
  const save = useSaveSnapshot(datasetId, snapshot?.snapshot_id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate({ name, description }, { onSuccess: onClose });
  };
  const title = snapshot === undefined ? t('snapshots.create') : t('snapshots.edit');
  return (
    <Dialog open onClose={onClose} title={title} width={440} testId="snapshot-dialog">
      <form className={form.form} onSubmit={submit}>
        {snapshot === undefined && <p className={form.hint}>{t('snapshots.createText')}</p>}
        <div className={form.field}>
          <label htmlFor={nameId}>{t('snapshots.name')}</label>
          <input
            id={nameId}
            className={form.input}
            value={name}
            maxLength={255}
            data-autofocus
            placeholder={t('snapshots.namePlaceholder')}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <div className={form.field}>
          <label htmlFor={descriptionId}>{t('snapshots.description')}</label>
          <textarea
            id={descriptionId}
            className={`${form.textarea} ${form.prose}`}
            value={description}
            maxLength={2000}
            onChange={(event) => setDescription(event.target.value)}
          />
          <p className={form.error} role="alert">
            {save.error?.detail}
          </p>
        </div>
        <footer className={form.footer}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={save.isPending} data-testid="snapshot-save">
            {snapshot === undefined
              ? t(save.isPending ? 'snapshots.creating' : 'snapshots.create')
              : t('snapshots.save')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
