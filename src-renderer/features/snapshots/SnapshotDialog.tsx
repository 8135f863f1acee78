import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Snapshot } from '../../../src-main/contract/schemas/snapshot.ts';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Form } from '../../components/Form.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { TextField } from '../../components/TextField.tsx';
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
  const [name, setName] = useState(snapshot?.snapshot_name ?? '');
  const [description, setDescription] = useState(snapshot?.description ?? '');
  const save = useSaveSnapshot(datasetId, snapshot?.snapshot_id);
  const title = snapshot === undefined ? t('snapshots.create') : t('snapshots.edit');
  return (
    <Dialog open onClose={onClose} title={title} width={440} testId="snapshot-dialog">
      <Form
        submit={snapshot === undefined ? t('snapshots.create') : t('snapshots.save')}
        sending={snapshot === undefined ? t('snapshots.creating') : undefined}
        isPending={save.isPending}
        error={save.error?.detail}
        onSubmit={() => save.mutate({ name, description }, { onSuccess: onClose })}
        onCancel={onClose}
        testId="snapshot-save"
      >
        {snapshot === undefined && <p className={form.hint}>{t('snapshots.createText')}</p>}
        <TextField
          label={t('snapshots.name')}
          value={name}
          maxLength={255}
          placeholder={t('snapshots.namePlaceholder')}
          onChange={setName}
          data-autofocus
        />
        <TextArea
          label={t('snapshots.description')}
          value={description}
          maxLength={2000}
          onChange={setDescription}
          prose
        />
      </Form>
    </Dialog>
  );
}
