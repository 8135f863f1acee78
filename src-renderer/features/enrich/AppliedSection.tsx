import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EnrichmentModel } from '../../../src-main/contract/schemas/model.ts';
import { ENRICHMENT_TYPES } from '../../../src-main/contract/schemas/model-definition.ts';
import styles from './AppliedSection.module.css';
import { FailuresDialog } from './FailuresDialog.tsx';
import type { AppliedModels } from './use-choices.ts';

interface AppliedSectionProps {
  datasetId: string;
  applied: AppliedModels;
  models: readonly EnrichmentModel[];
  /** Number of items for which a model failed. */
  nFailed: number;
}

/** Models with which a dataset is enriched. */
export function AppliedSection({ datasetId, applied, models, nFailed }: AppliedSectionProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const rows = ENRICHMENT_TYPES.flatMap((type) => {
    const id = applied[type];
    if (id === undefined) return [];
    const model = models.find((one) => one.id === id);
    return [{ type, name: model?.name ?? t('enrich.gone', { id }) }];
  });
  return (
    <section className={styles.applied} data-testid="applied-models">
      <h2>{t('enrich.now')}</h2>
      {rows.length === 0 ? (
        <p className={styles.quiet}>{t('enrich.nothingYet')}</p>
      ) : (
        <dl>
          {rows.map(({ type, name }) => (
            <div key={type} className={styles.row}>
              <dt>{t(`modelType.${type}`)}</dt>
              <dd>{name}</dd>
            </div>
          ))}
        </dl>
      )}
      {nFailed > 0 && (
        <button type="button" className={styles.failed} onClick={() => setOpen(true)} data-testid="enrichment-failures">
          {t('enrich.failures', { count: nFailed })}
        </button>
      )}
      {open && <FailuresDialog datasetId={datasetId} models={models} onClose={() => setOpen(false)} />}
    </section>
  );
}
