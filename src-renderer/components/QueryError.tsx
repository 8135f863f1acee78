import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../lib/api-error.ts';
import { navigate, useHashPath } from '../lib/location.ts';
import { datasetOfPath, routes } from '../lib/routes.ts';
import { Button } from './Button.tsx';
import { StateMessage } from './StateMessage.tsx';

/** Shows why a query failed and offers to repeat it. */
export function QueryError({ error, onRetry }: { error: ApiError; onRetry(): void }) {
  const { t } = useTranslation();
  const within = datasetOfPath(useHashPath()[0]);
  const missing = error.code === 'not_found';
  const text = error.code === 'unreachable' ? t('error.unreachable') : error.detail;
  return (
    <StateMessage
      tone="bad"
      testId="query-error"
      icon={<CircleAlert size={24} strokeWidth={1.5} />}
      title={missing ? t('error.notFoundTitle') : t('error.title')}
      text={missing ? `${error.detail}. ${t('error.notFound')}` : text}
      actions={
        <>
          <Button onClick={onRetry}>{t('common.retry')}</Button>
          {missing && (
            <Button onClick={() => navigate(within === undefined ? routes.inventory() : routes.explore(within))}>
              {t(within === undefined ? 'error.toDatasets' : 'error.toDataset')}
            </Button>
          )}
        </>
      }
    />
  );
}
