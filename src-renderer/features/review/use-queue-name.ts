import { useTranslation } from 'react-i18next';
import type { ReviewKind } from '../../../src-main/contract/schemas/review.ts';

/** Returns the name of a kind of queue. */
export function useQueueName(): (kind: ReviewKind) => string {
  const { t } = useTranslation();
  return (kind) => (kind === 'query' || kind === 'unlabeled' ? t(`review.names.${kind}`) : t(`issues.names.${kind}`));
}
