import { useTranslation } from 'react-i18next';
import type { EnrichmentModel } from '../../../src-main/contract/schemas/model.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { messageText } from '../../lib/message-text.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './FailuresDialog.module.css';

const SHOWN = 500;

interface FailuresDialogProps {
  datasetId: string;
  models: readonly EnrichmentModel[];
  onClose(): void;
}

/** Items for which a model failed, with reasons. */
export function FailuresDialog({ datasetId, models, onClose }: FailuresDialogProps) {
  const { t } = useTranslation();
  const { data, error } = useOperation('list_enrichment_failures', {
    dataset_id: datasetId,
    page_number: 0,
    page_size: SHOWN,
  });
  const more = data === undefined ? 0 : data.total - data.failures.length;
  return (
    <Dialog open onClose={onClose} title={t('enrich.failuresTitle')} width={640} testId="failures-dialog">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.body} tabIndex={0} aria-label={t('enrich.failuresTitle')}>
        {error !== null && (
          <p className={styles.error} role="alert">
            {error.detail}
          </p>
        )}
        {data === undefined && error === null && <Skeleton style={{ height: 160 }} />}
        <ul>
          {data?.failures.map((failure) => (
            <li key={`${failure.media_id} ${failure.model_id}`} className={styles.row} data-testid="failure-row">
              <p className={styles.file} title={failure.file_path}>
                {failure.file_path}
              </p>
              <p className={styles.reason}>
                {models.find((model) => model.id === failure.model_id)?.name ?? failure.model_id}:{' '}
                {messageText(failure.problem)}
              </p>
            </li>
          ))}
        </ul>
        {more > 0 && <p className={styles.reason}>{t('enrich.failuresMore', { count: more })}</p>}
      </section>
    </Dialog>
  );
}
