import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { EnrichmentModel } from '../../../src-main/contract/schemas/model.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { navigate } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './EnrichDialog.module.css';
import { type AppliedModels, byType } from './use-choices.ts';

interface EnrichDialogProps {
  dataset: Dataset;
  chosen: readonly EnrichmentModel[];
  applied: AppliedModels;
  models: readonly EnrichmentModel[];
  onClose(): void;
}

/** Confirms and starts the enrichment, then opens the copy, whose page shows the progress. */
export function EnrichDialog({ dataset, chosen, applied, models, onClose }: EnrichDialogProps) {
  const { t } = useTranslation();
  const onSettled = useRefresh('list_datasets', 'list_tasks', 'get_dataset');
  const start = useMutation<{ dataset_id: string }, ApiError, void>({
    mutationFn: () => api.enrich_dataset({ dataset_id: dataset.id, enrichment_models: byType(chosen) }),
    onSettled,
    onSuccess: (copy) => navigate(routes.explore(copy.dataset_id)),
  });
  const replaced = (model: EnrichmentModel) => {
    const id = applied[model.type];
    if (id === undefined || id === model.id) return undefined;
    return t('enrich.runReplaces', { name: models.find((one) => one.id === id)?.name ?? id });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('enrich.runTitle', { name: dataset.display_name })}
      width={480}
      testId="enrich-dialog"
    >
      <div className={form.form}>
        <p>{t('enrich.runCopy')}</p>
        <dl className={styles.models}>
          {chosen.map((model) => (
            <div key={model.id}>
              <dt>{t(`modelType.${model.type}`)}</dt>
              <dd>
                {model.name} <span className={styles.replaces}>{replaced(model)}</span>
              </dd>
            </div>
          ))}
        </dl>
        <p className={form.hint}>{t('enrich.runReadOnly')}</p>
        <p className={form.error} role="alert">
          {start.error?.detail}
        </p>
        <footer className={form.footer}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            kind="primary"
            disabled={start.isPending}
            data-autofocus
            onClick={() => start.mutate()}
            data-testid="enrich-start"
          >
            {t('enrich.runStart')}
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}
