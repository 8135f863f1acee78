import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/** Name and description of a dataset. */
export function RenameDialog({ dataset, onClose }: { dataset: Dataset; onClose(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(dataset.display_name);
  const [description, setDescription] = useState(dataset.description);
  const [isMissing, setMissing] = useState(false);
  const refresh = useRefresh('list_datasets', 'get_dataset', 'list_tasks');
  const rename = useMutation<unknown, ApiError>({
    mutationFn: () => api.update_dataset({ dataset_id: dataset.id, display_name: name, description }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  const submit = () => {
    setMissing(name.trim() === '');
    if (name.trim() !== '') rename.mutate();
  };
  const problem = isMissing ? t('newDataset.nameNeeded') : rename.error?.detail;
  return (
    <Dialog open onClose={onClose} title={t('inventory.renameTitle')} testId="rename-dialog">
      <Form
        submit={t('inventory.renameConfirm')}
        isPending={rename.isPending}
        onSubmit={submit}
        onCancel={onClose}
        testId="rename-submit"
      >
        <TextField
          label={t('newDataset.name')}
          value={name}
          maxLength={255}
          error={problem}
          onFocus={(event) => event.target.select()}
          onChange={(next) => {
            setName(next);
            setMissing(false);
          }}
          data-autofocus
          testId="rename-name"
        />
        <TextArea
          label={t('inventory.description')}
          value={description}
          rows={3}
          maxLength={2000}
          onChange={setDescription}
          testId="rename-description"
        />
      </Form>
    </Dialog>
  );
}
