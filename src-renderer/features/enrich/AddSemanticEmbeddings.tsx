import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { EncoderList } from '../../../src-main/contract/schemas/model.ts';
import { Button } from '../../components/Button.tsx';
import form from '../../components/Form.module.css';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { takesMedia } from '../../lib/datasets.ts';
import { useHashPath } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './AppliedSection.module.css';

/** Offers to add semantic embeddings in place, without a copy, to a dataset without them. Also shows when they are pending. */
export function AddSemanticEmbeddings({ dataset, requested }: { dataset: Dataset; requested: string | null }) {
  const { data } = useOperation('list_encoders', {});
  const best = data?.encoders.find((encoder) => encoder.installed);
  const waitedFor = data?.encoders.find((encoder) => encoder.model_id === requested && !encoder.installed);
  return (
    <>
      {waitedFor && <Waiting encoder={waitedFor} />}
      {best && <Offer dataset={dataset} encoder={best} />}
    </>
  );
}

function Waiting({ encoder }: { encoder: EncoderList['encoders'][number] }) {
  const { t } = useTranslation();
  return (
    <section className={styles.applied} data-testid="semantic-waits">
      <h2>{t('enrich.semanticTitle')}</h2>
      <p className={styles.quiet}>
        {t('enrich.semanticWaits', { name: encoder.name })}{' '}
        <a href={useHashPath.hrefs(routes.models())}>{t('enrich.toModelsPage')}</a>
      </p>
    </section>
  );
}

function Offer({ dataset, encoder }: { dataset: Dataset; encoder: EncoderList['encoders'][number] }) {
  const { t } = useTranslation();
  const refresh = useRefresh('get_dataset', 'list_datasets', 'list_tasks', 'get_enrichment_context');
  const add = useMutation<unknown, ApiError>({
    mutationFn: () => api.add_meaning({ dataset_id: dataset.id, encoder: encoder.model_id }),
    onSuccess: refresh,
  });
  return (
    <section className={styles.applied} data-testid="add-semantic">
      <h2>{t('enrich.semanticTitle')}</h2>
      <p className={styles.quiet}>
        {t(encoder.finds_texts ? 'enrich.semanticWithTexts' : 'enrich.semantic', { name: encoder.name })}
      </p>
      <div className={styles.action}>
        <Button
          disabled={add.isPending || !takesMedia(dataset)}
          onClick={() => add.mutate()}
          data-testid="add-semantic-run"
        >
          {t('enrich.addSemantic')}
        </Button>
      </div>
      <p className={form.error} role="alert">
        {add.error?.detail}
      </p>
    </section>
  );
}
