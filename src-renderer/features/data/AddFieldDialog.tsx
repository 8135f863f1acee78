import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELD_TYPES, type FieldType } from '../../../src-main/contract/schemas/custom-metadata.ts';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Form } from '../../components/Form.tsx';
import { Switch } from '../../components/Switch.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './Fields.module.css';
import { ValuesPicker } from './ValuesPicker.tsx';

/** Asks for a field and, optionally, its values. */
export function AddFieldDialog({ datasetId, onClose }: { datasetId: string; onClose(): void }) {
  const { t } = useTranslation();
  const id = useId();
  const [name, setName] = useState('');
  const [type, setType] = useState<FieldType>('string');
  const [options, setOptions] = useState('');
  const [multi, setMulti] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const [column, setColumn] = useState('value');
  const [missing, setMissing] = useState<'name' | 'options' | null>(null);
  /** The field after its declaration: a later failure concerns only the upload. */
  const declared = useRef<string | null>(null);
  const refresh = useRefresh('get_custom_metadata_schema', 'get_facets');
  const given = options
    .split('\n')
    .map((option) => option.trim())
    .filter((option) => option !== '');
  const add = useMutation<unknown, ApiError>({
    mutationFn: async () => {
      const choice = type === 'enum' ? { enum_options: given, is_multi: multi } : {};
      declared.current ??= (
        await api.declare_custom_metadata({ dataset_id: datasetId, field_name: name, field_type: type, ...choice })
      ).task_id;
      if (file === null) return;
      await api.upload_custom_metadata({
        dataset_id: datasetId,
        task_id: declared.current,
        column,
        file: { file, file_name: file.name },
      });
    },
    onSettled: refresh,
  });
  const submit = () => {
    const lacks = name.trim() === '' ? 'name' : type === 'enum' && given.length === 0 ? 'options' : null;
    setMissing(lacks);
    if (lacks === null) add.mutate(undefined, { onSuccess: onClose });
  };
  const isDeclared = declared.current !== null;
  const error =
    missing === null ? add.error?.detail : t(missing === 'name' ? 'fields.nameNeeded' : 'fields.optionsNeeded');
  return (
    <Dialog open onClose={onClose} title={t('fields.addTitle')} testId="add-field-dialog">
      <Form
        submit={t('fields.confirm')}
        sending={t('fields.sending')}
        isPending={add.isPending}
        error={error}
        onSubmit={submit}
        onCancel={onClose}
        testId="field-submit"
      >
        <div className={form.field}>
          <label htmlFor={`${id}-name`}>{t('fields.name')}</label>
          <input
            id={`${id}-name`}
            className={form.input}
            value={name}
            maxLength={255}
            autoComplete="off"
            disabled={isDeclared}
            aria-invalid={missing === 'name'}
            aria-describedby={`${id}-error`}
            data-testid="field-name"
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <div className={form.field}>
          <label htmlFor={`${id}-type`}>{t('fields.type')}</label>
          <select
            id={`${id}-type`}
            className={form.input}
            value={type}
            disabled={isDeclared}
            data-testid="field-type"
            onChange={(event) => setType(event.target.value as FieldType)}
          >
            {FIELD_TYPES.map((one) => (
              <option key={one} value={one}>
                {t(`fields.types.${one}`)}
              </option>
            ))}
          </select>
        </div>
        {type === 'enum' && (
          <>
            <div className={form.field}>
              <label htmlFor={`${id}-options`}>{t('fields.options')}</label>
              <textarea
                id={`${id}-options`}
                className={form.textarea}
                value={options}
                disabled={isDeclared}
                aria-invalid={missing === 'options'}
                aria-describedby={`${id}-hint`}
                data-testid="field-options"
                onChange={(event) => setOptions(event.target.value)}
              />
              <p id={`${id}-hint`} className={form.hint}>
                {t('fields.optionsHint')}
              </p>
            </div>
            <Switch label={t('fields.multi')} checked={multi} disabled={isDeclared} onChange={setMulti} />
          </>
        )}
        <div className={form.field}>
          <span className={form.hint}>{t('fields.values')}</span>
          <div className={styles.file}>
            <ValuesPicker label={t('fields.pick')} disabled={add.isPending} onPick={setFile} />
            {file !== null && <span title={file.name}>{file.name}</span>}
          </div>
          <p className={form.hint}>{t('fields.valuesHint')}</p>
        </div>
        {file !== null && /\.(csv|parquet)$/i.test(file.name) && (
          <div className={form.field}>
            <label htmlFor={`${id}-column`}>{t('fields.column')}</label>
            <input
              id={`${id}-column`}
              className={form.input}
              value={column}
              autoComplete="off"
              data-testid="field-column"
              onChange={(event) => setColumn(event.target.value)}
            />
          </div>
        )}
      </Form>
    </Dialog>
  );
}
