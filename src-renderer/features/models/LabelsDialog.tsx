import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useOperation } from '../../lib/use-operation.ts';
import type { PackagedModel } from './group-by-type.ts';
import styles from './LabelsDialog.module.css';
import { useLabelsChange } from './use-model-actions.ts';

/** The labels of a tagging model, one per line. */
export function LabelsDialog({ model, onClose }: { model: PackagedModel; onClose(): void }) {
  const { t } = useTranslation();
  const id = useId();
  /** Null until the user types: the saved list is shown. */
  const [text, setText] = useState<string | null>(null);
  const { data, error } = useOperation('get_model_labels', { model_id: model.id }, { refetchOnWindowFocus: false });
  const change = useLabelsChange(model.id);
  const shown = text ?? data?.labels.join('\n') ?? '';
  const labels = labelsOf(shown);
  const failure = error?.detail ?? change.error?.fields.labels ?? change.error?.detail;
  const reset = () => {
    // Text that the user types during the reset is kept.
    setText(null);
    change.mutate(null, { onError: () => setText((typed) => typed ?? text) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (labels.length < 2) return;
    change.mutate(labels, { onSuccess: onClose });
  };
  return (
    <Dialog open onClose={onClose} title={t('models.labelsTitle')} width={520} testId="labels-dialog">
      <form className={form.form} onSubmit={submit}>
        <p className={form.hint}>{t('models.labelsText', { name: model.name })}</p>
        <div className={form.field}>
          <label htmlFor={id}>{t('models.labelsField')}</label>
          {data === undefined && error === null ? (
            <Skeleton className={styles.text ?? ''} />
          ) : (
            <textarea
              id={id}
              className={`${form.textarea} ${styles.text}`}
              value={shown}
              spellCheck={false}
              data-autofocus
              aria-describedby={`${id}-count`}
              data-testid="labels-text"
              onChange={(event) => setText(event.target.value)}
            />
          )}
          <p id={`${id}-count`} className={form.hint} aria-live="polite" data-testid="labels-count">
            {labels.length < 2 && data !== undefined
              ? t('models.labelsTooFew')
              : t('models.labelsCount', { count: labels.length })}
            {text === null && data?.is_default === true && ` · ${t('models.labelsDefault')}`}
          </p>
          <p className={form.error} role="alert">
            {failure}
          </p>
        </div>
        <footer className={form.footer}>
          <Button
            kind="quiet"
            className={styles.reset}
            disabled={change.isPending || (text === null && data?.is_default !== false)}
            onClick={reset}
            data-testid="labels-reset"
          >
            {t('models.labelsReset')}
          </Button>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={change.isPending || text === null || labels.length < 2}>
            {t('models.save')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** One label per line, trimmed, without duplicates. */
function labelsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}
