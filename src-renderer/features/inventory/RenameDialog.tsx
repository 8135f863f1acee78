import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/** Name and description of a dataset. */
export function RenameDialog({ dataset, onClose }: { dataset: Dataset; onClose(): void }) {
  const { t } = useTranslation();
  const id = useId();
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(name.trim() === '');
    if (name.trim() !== '' && !rename.isPending) rename.mutate();
  };
  const problem = isMissing ? t('newDataset.nameNeeded') : rename.error?.detail;
  return (
    <Dialog open onClose={onClose} title={t('inventory.renameTitle')} testId="rename-dialog">
      <form className={form.form} onSubmit={submit}>
        <div className={form.field}>
          <label htmlFor={`${id}-name`}>{t('newDataset.name')}</label>
          <input
            id={`${id}-name`}
            className={form.input}
            value={name}
            maxLength={255}
            spellCheck={false}
            data-autofocus
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}-problem`}
            onFocus={(event) => event.target.select()}
            onChange={(event) => {
              setName(event.target.value);
              setMissing(false);
            }}
            data-testid="rename-name"
          />
          <p id={`${id}-problem`} className={form.error} role="alert">
            {problem}
          </p>
        </div>
        <div className={form.field}>
          <label htmlFor={`${id}-description`}>{t('inventory.description')}</label>
          <textarea
            id={`${id}-description`}
            className={form.textarea}
            value={description}
            rows={3}
            maxLength={2000}
            onChange={(event) => setDescription(event.target.value)}
            data-testid="rename-description"
          />
        </div>
        <footer className={form.footer}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={rename.isPending} data-testid="rename-submit">
            {t('inventory.renameConfirm')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
