import { Check, CircleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../src-main/contract/contract.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { LocationField } from '../../components/LocationField.tsx';
import { ProgressBar } from '../../components/Progress.tsx';
import { formatBytes } from '../../lib/format.ts';
import { messageText } from '../../lib/message-text.ts';
import styles from './ImportDialog.module.css';
import { useImportModels } from './use-model-actions.ts';

/** Imports models from a local folder, or embeddings from a Parquet file, and lists what was imported or skipped, and why. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const [path, setPath] = useState('');
  const [missing, setMissing] = useState(false);
  const take = useImportModels();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(path.trim() === '');
    if (path.trim() !== '' && !take.isPending) take.mutate(path.trim());
  };
  const error = missing ? t('models.locationNeeded') : (take.error?.fields.path ?? take.error?.detail);
  return (
    <Dialog open onClose={onClose} title={t('models.importTitle')} testId="import-dialog">
      {take.data !== undefined ? (
        <div className={form.form}>
          <Outcome outcome={take.data} />
          <footer className={form.footer}>
            <Button onClick={() => take.reset()}>{t('models.importAgain')}</Button>
            <Button kind="primary" onClick={onClose} data-testid="import-done">
              {t('models.done')}
            </Button>
          </footer>
        </div>
      ) : (
        <form className={form.form} onSubmit={submit}>
          <LocationField
            location={path}
            error={error}
            takes="models"
            testId="import-path"
            onChange={(next) => {
              setPath(next);
              setMissing(false);
              if (take.isError) take.reset();
            }}
          />
          {take.isPending && (
            <div className={styles.busy} role="status">
              <ProgressBar percent={null} label={t('models.importing')} />
              <p className={form.hint}>{t('models.importing')}</p>
            </div>
          )}
          <footer className={form.footer}>
            <Button onClick={onClose}>{take.isPending ? t('common.close') : t('common.cancel')}</Button>
            <Button kind="primary" type="submit" disabled={take.isPending} data-testid="import-start">
              {t('models.import')}
            </Button>
          </footer>
        </form>
      )}
    </Dialog>
  );
}

function Outcome({ outcome: { imported, refused } }: { outcome: Result<'import_models'> }) {
  const { t } = useTranslation();
  return (
    <div className={styles.outcome} role="status" data-testid="import-outcome">
      <h3>{t('models.imported', { count: imported.length })}</h3>
      {imported.length > 0 && (
        <ul>
          {imported.map((one) => (
            <li key={one.package_id} className={styles.row} data-testid="imported">
              <Check size={14} className={styles.ok} aria-hidden="true" />
              <div>
                <p className={styles.name}>{one.name}</p>
                <p className={styles.about}>
                  {[
                    ...new Set(one.models.map(({ type }) => t(`modelType.${type}`))),
                    ...(one.size_bytes === null ? [] : [formatBytes(one.size_bytes)]),
                  ].join(' · ')}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <>
          <h3>{t('models.refused', { count: refused.length })}</h3>
          <ul>
            {refused.map((one) => (
              <li key={one.name} className={styles.row} data-testid="refused">
                <CircleAlert size={14} className={styles.warn} aria-hidden="true" />
                <div>
                  <p className={styles.name}>{one.name}</p>
                  <p className={styles.about}>{messageText(one.problem)}</p>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
