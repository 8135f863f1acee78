import { useTranslation } from 'react-i18next';
import type { Image } from '../../../src-main/contract/schemas/image.ts';
import { useHashPath } from '../../lib/location.ts';
import { routes, usePlace } from '../../lib/routes.ts';
import { DetailsSection } from './DetailsSection.tsx';
import styles from './Issues.module.css';

/** What may be wrong with an image, each a link to all that have it. */
export function Issues({ image }: { image: Image }) {
  const { t } = useTranslation();
  const { threshold } = usePlace();
  if (image.issues.length === 0) return null;
  return (
    <DetailsSection title={t('issues.title')} testId="item-issues">
      <ul>
        {image.issues.map(({ issue_type, confidence, issues_description }) => (
          <li key={issue_type}>
            <p className={styles.line}>
              <a
                className={styles.issue}
                href={useHashPath.hrefs(
                  routes.explore(image.dataset_id, {
                    threshold,
                    filters: [{ issues: { op: 'issue', value: issue_type } }],
                  }),
                )}
                title={t('issues.showAll')}
                data-testid="item-issue"
              >
                {t(`issues.names.${issue_type}`)}
              </a>
              <span className={styles.confidence} title={t('issues.sure')}>
                {t('item.percent', { percent: Math.round(confidence * 100) })}
              </span>
            </p>
            <p className={styles.description}>{issues_description}</p>
          </li>
        ))}
      </ul>
    </DetailsSection>
  );
}
