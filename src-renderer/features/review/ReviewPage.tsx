import { Download, ListChecks, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReviewKind } from '../../../src-main/contract/schemas/review.ts';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useDataset, useMayOn } from '../../lib/datasets.ts';
import { useExportRequest } from '../../lib/export-request.ts';
import { listOf, type QueueInput, queueInput, type ReviewEntry } from '../../lib/review.ts';
import { type Place, type ReviewPlace, useReviewPlace } from '../../lib/routes.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { useUndoLatest } from '../../lib/use-undo-latest.ts';
import { BulkDialog } from './BulkDialog.tsx';
import { acceptance, exclusion, itemsOf, labelling, rejection, tagging } from './decisions.ts';
import { GroupStage } from './GroupStage.tsx';
import { ItemStage } from './ItemStage.tsx';
import { NothingLeft } from './NothingLeft.tsx';
import { Reason } from './Reason.tsx';
import { ReviewActions } from './ReviewActions.tsx';
import styles from './ReviewPage.module.css';
import { ReviewProgress } from './ReviewProgress.tsx';
import { useQueueName } from './use-queue-name.ts';
import { type Decision, useReview } from './use-review.ts';

/** Decides the entries of one queue, one after the other. */
export function ReviewPage({ datasetId, kind }: { datasetId: string; kind: ReviewKind }) {
  const place = useReviewPlace(kind);
  const queue = queueInput(datasetId, place);
  return <Queue key={JSON.stringify(queue)} queue={queue} place={place} />;
}

function Queue({ queue, place }: { queue: QueueInput; place: Place & ReviewPlace }) {
  const { t } = useTranslation();
  const datasetId = queue.dataset_id;
  const { data: dataset } = useDataset(datasetId);
  const nameOf = useQueueName();
  const review = useReview(queue);
  const { entry } = review;
  const [isBulk, setIsBulk] = useState(false);
  /** The copy to keep that the user chose for one group. */
  const [chosen, setChosen] = useState<{ entry_id: string; media_id: string } | undefined>(undefined);
  const keptId =
    entry !== undefined && chosen?.entry_id === entry.entry_id ? chosen.media_id : (entry?.group?.keep_media_id ?? '');

  const decide = (decision: Decision, of: ReviewEntry) => review.decide(of, decision, itemsOf(of, queue));
  const hasSuggestions = queue.kind !== 'query' && queue.kind !== 'unlabeled';
  const undo = review.last === undefined ? undefined : review.undo;
  useShortcut('z', () => undo?.(), undo !== undefined);
  const undoLatest = useUndoLatest(datasetId);
  useShortcut('mod+z', undo ?? undoLatest);
  const mayExport = useMayOn(datasetId)('export_entities_async');
  const exportEntry = () => {
    if (entry === undefined) return;
    const selection = itemsOf(entry, queue);
    useExportRequest.getState().open(datasetId, { chosen: { selection, count: entry.group?.items.length ?? 1 } });
  };
  useShortcut('e', exportEntry, mayExport && entry !== undefined);
  useShortcut('A', () => setIsBulk(true), hasSuggestions && entry !== undefined);

  const bar = (
    <Bar
      title={dataset?.display_name ?? ''}
      back={listOf(datasetId, place)}
      pinned={<span>{t('review.of', { name: nameOf(queue.kind) })}</span>}
      facts={<ReviewProgress review={review} isOfGroups={queue.kind === 'duplicates'} />}
    >
      <IconButton
        label={t('review.undo')}
        shortcut="Z"
        icon={<RotateCcw size={16} />}
        disabled={undo === undefined}
        onClick={() => undo?.()}
        data-testid="review-undo"
      />
      {mayExport && (
        <IconButton
          label={t('exports.action')}
          shortcut="E"
          icon={<Download size={16} />}
          disabled={entry === undefined}
          onClick={exportEntry}
          data-testid="review-export"
        />
      )}
      {hasSuggestions && (
        <Button
          icon={<ListChecks size={16} />}
          title={`${t('review.all')} (Shift+A)`}
          disabled={entry === undefined}
          onClick={() => setIsBulk(true)}
          data-testid="review-all"
        >
          {t('review.all')}
        </Button>
      )}
    </Bar>
  );
  if (review.error !== null && entry === undefined) {
    return (
      <Page bar={bar}>
        <QueryError error={review.error} onRetry={review.retry} />
      </Page>
    );
  }
  return (
    <Page bar={bar}>
      {isBulk && entry !== undefined && (
        <BulkDialog
          queue={queue}
          entry={entry}
          onClose={() => setIsBulk(false)}
          onDone={(edit) => review.noteBulk(edit, entry)}
        />
      )}
      {entry === undefined ? (
        review.isLoading ? (
          <Skeleton style={{ height: '100%' }} />
        ) : (
          <NothingLeft datasetId={datasetId} kind={queue.kind} place={place} review={review} />
        )
      ) : (
        <div className={styles.review} data-testid="review">
          {entry.group === null ? (
            <ItemStage key={entry.entry_id} datasetId={datasetId} item={entry.item} />
          ) : (
            <GroupStage
              key={entry.entry_id}
              datasetId={datasetId}
              group={entry.group}
              keptId={keptId}
              onKeep={(mediaId) => setChosen({ entry_id: entry.entry_id, media_id: mediaId })}
            />
          )}
          <footer className={styles.footer}>
            <Reason entry={entry} keptId={keptId} failure={review.failure} last={review.last?.edit} />
            <ReviewActions
              datasetId={datasetId}
              entry={entry}
              onAccept={() => decide(acceptance(entry, keptId), entry)}
              onKeep={() => decide(rejection(entry, keptId), entry)}
              onExclude={() => decide(exclusion(entry, keptId), entry)}
              onTag={(change) => decide(tagging(change), entry)}
              onLabel={(change) => decide(labelling(entry, change), entry)}
              onSkip={() => review.skip(entry)}
            />
          </footer>
        </div>
      )}
    </Page>
  );
}
