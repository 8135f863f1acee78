import { Check, Shapes } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Image } from '../../../src-main/contract/schemas/image.ts';
import type { Issue } from '../../../src-main/contract/schemas/issues.ts';
import { Button } from '../../components/Button.tsx';
import { Offered } from '../../components/Offered.tsx';
import { useHashPath } from '../../lib/location.ts';
import { messageText } from '../../lib/message-text.ts';
import { routes, usePlace } from '../../lib/routes.ts';
import { chosenItem } from '../../lib/selection.ts';
import type { Edits } from '../../lib/use-edits.ts';
import styles from './Issues.module.css';

interface IssuesProps {
  issues: readonly Issue[];
  /** The image, and the id of the object if the issue is about one. */
  of: Image;
  objectId?: string;
  labels: readonly string[];
  edits: Edits;
}

/** Issues of an image or object. Each links to all items with that issue. Doubtful labels can be changed or confirmed. */
export function Issues({ issues, of: image, objectId, labels, edits }: IssuesProps) {
  const { t } = useTranslation();
  const { threshold } = usePlace();
  return (
    <ul>
      {issues.map((issue) => (
        <li key={issue.issue_type}>
          <p className={styles.line}>
            <a
              className={styles.issue}
              href={useHashPath.hrefs(
                routes.explore(image.dataset_id, {
                  threshold,
                  type: objectId === undefined ? undefined : 'OBJECTS',
                  filters: [{ issues: { op: 'issue', value: issue.issue_type } }],
                }),
              )}
              title={t('issues.showAll')}
              data-testid="item-issue"
            >
              {t(`issues.names.${issue.issue_type}`)}
            </a>
            <span className={styles.confidence} title={t('issues.confidence')}>
              {t('item.percent', { percent: Math.round(issue.confidence * 100) })}
            </span>
          </p>
          <p className={styles.description}>{messageText(issue.description)}</p>
          {issue.issue_type === 'mislabels' && (
            <Offered operation="edit_labels" datasetId={image.dataset_id}>
              <LabelDecision
                subject={objectId ?? image.image_id}
                labels={labels}
                suggested={issue.suggested_label}
                edits={edits}
              />
            </Offered>
          )}
        </li>
      ))}
    </ul>
  );
}

interface LabelDecisionProps {
  /** Id of the item or object. */
  subject: string;
  labels: readonly string[];
  suggested: string | null;
  edits: Edits;
}

/** Replaces the doubtful label by the suggested one or adds it, or confirms the current labels. */
function LabelDecision({ subject, labels, suggested, edits }: LabelDecisionProps) {
  const { t } = useTranslation();
  const selection = [chosenItem(subject).part];
  const instead = labels.length === 1 ? [...labels] : [];
  return (
    <p className={styles.decision}>
      {suggested !== null && (
        <Button
          icon={<Shapes size={14} />}
          title={t(instead.length === 0 ? 'issues.alsoLabel' : 'issues.relabel', { label: suggested })}
          onClick={() => edits.label(selection, { add: [suggested], remove: instead })}
          data-testid="relabel"
        >
          {suggested}
        </Button>
      )}
      <Button
        icon={<Check size={14} />}
        title={t('issues.confirmHint')}
        onClick={() => edits.confirm(selection, [...labels])}
        data-testid="confirm-label"
      >
        {t('issues.confirm')}
      </Button>
    </p>
  );
}
