import { Check, EyeOff, Shapes, SkipForward, Tag, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Key } from '../../components/Key.tsx';
import { LabelEditor } from '../../components/LabelEditor.tsx';
import { TagEditor } from '../../components/TagEditor.tsx';
import type { ReviewEntry } from '../../lib/review.ts';
import type { Change } from '../../lib/use-edits.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import styles from './ReviewPage.module.css';

interface ReviewActionsProps {
  datasetId: string;
  entry: ReviewEntry;
  onAccept(): void;
  onKeep(): void;
  onExclude(): void;
  onTag(change: Change): void;
  onLabel(change: Change): void;
  onSkip(): void;
}

/** A button and a key for each decision. */
export function ReviewActions(props: ReviewActionsProps) {
  const { datasetId, entry, onAccept, onKeep, onExclude, onTag, onLabel, onSkip } = props;
  const { t } = useTranslation();
  const isGroup = entry.group !== null;
  const { action } = entry.suggestion;
  return (
    <div className={styles.actions} role="toolbar" aria-label={t('review.title')}>
      <Action
        keyName="a"
        kind="primary"
        icon={<Check size={16} />}
        text={isGroup ? t('review.accept.copies') : t(`review.accept.${action}`)}
        onClick={onAccept}
        testId="review-accept"
      />
      <Action
        keyName="k"
        icon={<ThumbsUp size={16} />}
        text={isGroup ? t('review.keepAll') : t('review.keep')}
        onClick={onKeep}
        testId="review-keep"
      />
      {!isGroup && (
        <>
          {action !== 'exclude' && (
            <Action
              keyName="x"
              icon={<EyeOff size={16} />}
              text={t('review.exclude')}
              onClick={onExclude}
              testId="review-exclude"
            />
          )}
          <span className={styles.action}>
            <LabelEditor
              datasetId={datasetId}
              type={entry.item.type === 'OBJECT' ? 'OBJECTS' : 'IMAGES'}
              icon={<Shapes size={16} />}
              shortcut="l"
              onEdit={onLabel}
            />
            <Key name="L" />
          </span>
          <span className={styles.action}>
            <TagEditor datasetId={datasetId} icon={<Tag size={16} />} shortcut="t" onEdit={onTag} />
            <Key name="T" />
          </span>
        </>
      )}
      <Action
        keyName="s"
        icon={<SkipForward size={16} />}
        text={t('review.skip')}
        onClick={onSkip}
        testId="review-skip"
      />
      {/* The suggestion and the key for exclusion are the same then. */}
      <HiddenKey keyName="x" isActive={isGroup || action === 'exclude'} onPress={onExclude} />
    </div>
  );
}

interface ActionProps {
  keyName: string;
  kind?: 'primary';
  icon: ReactNode;
  text: string;
  onClick(): void;
  testId: string;
}

function Action({ keyName, kind, icon, text, onClick, testId }: ActionProps) {
  useShortcut(keyName, onClick);
  return (
    <span className={styles.action}>
      <Button kind={kind ?? 'plain'} icon={icon} onClick={onClick} data-testid={testId}>
        {text}
      </Button>
      <Key name={keyName.toUpperCase()} />
    </span>
  );
}

function HiddenKey({ keyName, isActive, onPress }: { keyName: string; isActive: boolean; onPress(): void }) {
  useShortcut(keyName, onPress, isActive);
  return null;
}
