import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExploredType } from '../../src-main/contract/schemas/explore.ts';
import { MAX_NOTE_CHARS } from '../../src-main/contract/schemas/teamwork.ts';
import { api } from '../lib/api.ts';
import type { ApiError } from '../lib/api-error.ts';
import { useNotices } from '../lib/notices.ts';
import { useOperation } from '../lib/use-operation.ts';
import { Dialog } from './Dialog.tsx';
import form from './Form.module.css';
import { Form } from './Form.tsx';
import { TextArea } from './TextArea.tsx';
import { TextField } from './TextField.tsx';

interface AssignDialogProps {
  datasetId: string;
  /** Proposed title. */
  title: string;
  query: { entity_type: ExploredType; vql: string };
  onClose(): void;
}

/** Assigns the matches of a query to somebody who can see the dataset. */
export function AssignDialog({ datasetId, title, query, onClose }: AssignDialogProps) {
  const { t } = useTranslation();
  const { data: people = [] } = useOperation('list_people', { dataset_id: datasetId });
  const [email, setEmail] = useState('');
  const [name, setName] = useState(title);
  const [note, setNote] = useState('');
  const show = useNotices((notices) => notices.show);
  const assign = useMutation<unknown, ApiError>({
    mutationFn: () =>
      api.assign_items({
        dataset_id: datasetId,
        assignee_email: email,
        title: name.trim(),
        note: note.trim(),
        ...query,
      }),
    onSuccess: () => {
      show({ key: 'assigned', text: t('assign.done', { title: name.trim(), email }), isBrief: true });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('assign.title')} width={420} testId="assign-dialog">
      <Form
        submit={t('assign.submit')}
        isPending={assign.isPending}
        isComplete={email !== '' && name.trim() !== ''}
        onSubmit={() => assign.mutate()}
        onCancel={onClose}
        testId="assign-submit"
      >
        <p className={form.hint}>{t('assign.text')}</p>
        <label className={form.field}>
          <span>{t('assign.person')}</span>
          <select
            className={form.input}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            data-autofocus
            data-testid="assign-person"
          >
            <option value="">{t('assign.choose')}</option>
            {people.map((person) => (
              <option key={person.email} value={person.email}>
                {person.name === '' ? person.email : `${person.name} (${person.email})`}
              </option>
            ))}
          </select>
        </label>
        <TextField
          label={t('assign.name')}
          value={name}
          error={assign.error?.fields.title ?? assign.error?.detail}
          onChange={setName}
          testId="assign-title"
        />
        <TextArea label={t('assign.note')} value={note} maxLength={MAX_NOTE_CHARS} onChange={setNote} prose />
      </Form>
    </Dialog>
  );
}
