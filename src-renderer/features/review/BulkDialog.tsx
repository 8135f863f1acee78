import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DEFAULT_DUPLICATE_LEVEL, DUPLICATE_LEVELS } from '../../../src-main/contract/schemas/duplicates.ts';
import type { Edit } from '../../../src-main/contract/schemas/edit.ts';
import { SURE_OF_ISSUE } from '../../../src-main/contract/schemas/issues.ts';
import { KEEP_RULES, type KeepRule } from '../../../src-main/contract/schemas/review.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Segmented } from '../../components/Segmented.tsx';
import { Slider } from '../../components/Slider.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { formatBytes } from '../../lib/format.ts';
import type { QueueInput, ReviewEntry } from '../../lib/review.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './BulkDialog.module.css';
import { LIKENESSES, type Likeness, useLikeness } from './use-likeness.ts';

interface BulkDialogProps {
  queue: QueueInput;
  /** The current entry: by default, all that are at least as certain are accepted. */
  entry: ReviewEntry;
  onClose(): void;
  onDone(edit: Edit): void;
}

const LEVELS = DUPLICATE_LEVELS.map((level) => String(level) as `${typeof level}`);

/** Accepts the suggestions of all entries from a confidence on, after counting what changes. */
export function BulkDialog({ queue, entry, onClose, onDone }: BulkDialogProps) {
  const { t } = useTranslation();
  const isGroups = entry.group !== null;
  const isRelabel = entry.suggestion.action === 'relabel';
  const [level, setLevel] = useState(queue.duplicate_threshold ?? DEFAULT_DUPLICATE_LEVEL);
  const [least, setLeast] = useState(queue.confidence_min ?? SURE_OF_ISSUE);
  const [rule, setRule] = useState<KeepRule>('suggested');
  const [folders, setFolders] = useState('');
  const [likeness, setLikeness] = useState<Likeness>('all');
  const alike = useLikeness(queue, entry);
  const chosen = {
    ...(alike[likeness]?.queue ?? queue),
    ...(isGroups
      ? {
          duplicate_threshold: level,
          keep_rule: rule,
          prefer_folders: folders.split('\n').filter((folder) => folder.trim() !== ''),
        }
      : { confidence_min: least }),
  };
  const { data: counted, error } = useOperation(
    'apply_review',
    { ...chosen, dry_run: true },
    { placeholderData: (before) => before, staleTime: 0 },
  );
  const apply = useMutation<{ edit: Edit | null }, ApiError>({
    mutationFn: () => api.apply_review({ ...chosen, dry_run: false }),
    onSuccess: ({ edit }) => {
      if (edit !== null) onDone(edit);
      onClose();
    },
  });
  const nothing = counted?.n_entries === 0;
  return (
    <Dialog open onClose={onClose} title={t('review.bulk.title')} width={560} testId="review-bulk">
      <div className={form.form}>
        {Object.keys(alike).length > 1 && (
          <Field label={t('review.bulk.which')}>
            <Segmented<Likeness>
              label={t('review.bulk.which')}
              value={likeness}
              options={LIKENESSES.flatMap((value) => {
                const like = alike[value];
                return like === undefined
                  ? []
                  : [{ value, label: t(`review.bulk.likeness.${value}`, { value: like.value }) }];
              })}
              onChange={setLikeness}
              testId="bulk-likeness"
            />
          </Field>
        )}
        {isGroups ? (
          <>
            <Field label={t('review.bulk.level')}>
              <Segmented
                label={t('review.bulk.level')}
                value={LEVELS.find((one) => Number(one) === level) ?? '0.95'}
                options={LEVELS.map((value) => ({ value, label: t(`duplicates.levels.${value}`) }))}
                onChange={(value) => setLevel(Number(value) as typeof level)}
                testId="bulk-level"
              />
            </Field>
            <Field label={t('review.bulk.keep')}>
              <Segmented<KeepRule>
                label={t('review.bulk.keep')}
                value={rule}
                options={KEEP_RULES.map((value) => ({ value, label: t(`review.bulk.keepRules.${value}`) }))}
                onChange={setRule}
                testId="bulk-rule"
              />
            </Field>
            <TextArea
              label={`${t('review.bulk.folders')}. ${t('review.bulk.foldersHint')}`}
              value={folders}
              onChange={setFolders}
              testId="bulk-folders"
            />
          </>
        ) : (
          <Field label={t('review.bulk.least')}>
            <span className={styles.least}>
              <Slider
                label={t('review.bulk.least')}
                min={0.5}
                max={0.99}
                step={0.01}
                value={least}
                width={240}
                valueText={t('item.percent', { percent: Math.round(least * 100) })}
                onChange={(next) => setLeast(Number(next.toFixed(2)))}
              />
              <output>{t('item.percent', { percent: Math.round(least * 100) })}</output>
            </span>
          </Field>
        )}
        <p className={styles.counts} role="status" data-testid="bulk-counts">
          {counted === undefined
            ? t('review.bulk.counting')
            : nothing
              ? t('review.bulk.nothing')
              : isRelabel
                ? t('review.bulk.relabels', { count: counted.n_changed })
                : isGroups
                  ? t('review.bulk.excludesCopies', {
                      images: t('common.images', { count: counted.n_changed }),
                      groups: t('duplicates.groups', { count: counted.n_entries }),
                      size: formatBytes(counted.size_bytes),
                    })
                  : t('review.bulk.excludes', { count: counted.n_changed, size: formatBytes(counted.size_bytes) })}
        </p>
        <p className={styles.note}>{t('review.bulk.note')}</p>
        <p className={form.error} role="alert">
          {(apply.error ?? error)?.detail}
        </p>
        <footer className={form.footer}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            kind="primary"
            data-autofocus
            disabled={nothing || apply.isPending}
            onClick={() => apply.mutate()}
            data-testid="bulk-confirm"
          >
            {t(`review.bulk.confirm.${isRelabel ? 'relabel' : 'exclude'}`)}
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={form.field}>
      <span className={styles.label}>{label}</span>
      {children}
    </div>
  );
}
