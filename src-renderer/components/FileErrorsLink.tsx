import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import { useHashPath } from '../lib/location.ts';
import { routes } from '../lib/routes.ts';
import styles from './FileErrorsLink.module.css';

/** Says how many files a dataset had to leave out, and leads to their list. Nothing when there are none. */
export function FileErrorsLink({ dataset }: { dataset: Pick<Dataset, 'id' | 'n_file_errors'> }) {
  const { t } = useTranslation();
  if (dataset.n_file_errors === 0) return null;
  return (
    <a className={styles.link} href={useHashPath.hrefs(routes.fileErrors(dataset.id))} data-testid="file-errors-link">
      <TriangleAlert size={14} aria-hidden="true" />
      <span>{t('common.badFiles', { count: dataset.n_file_errors })}</span>
    </a>
  );
}
