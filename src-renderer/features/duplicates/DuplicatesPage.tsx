import { CopyCheck, ListChecks } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DUPLICATE_LEVELS, type DuplicateGroup } from '../../../src-main/contract/schemas/duplicates.ts';
import { Button } from '../../components/Button.tsx';
import { DatasetBar } from '../../components/DatasetBar.tsx';
import { Key } from '../../components/Key.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useDataset, useMayOn } from '../../lib/datasets.ts';
import { navigate } from '../../lib/location.ts';
import { routes, useDuplicatesPlace } from '../../lib/routes.ts';
import { useEdits } from '../../lib/use-edits.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { Comparing } from './Comparing.tsx';
import styles from './DuplicatesPage.module.css';
import { GroupRow } from './GroupRow.tsx';

const GROUPS_PER_PAGE = 20;
const LEVELS = DUPLICATE_LEVELS.map((level) => String(level) as `${typeof level}`);

/** Review of duplicate groups: copies side by side, with the copy to keep. The others can be excluded. */
export function DuplicatesPage({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { level, page } = useDuplicatesPlace();
  const { data: dataset } = useDataset(datasetId);
  const { data, error, refetch } = useOperation('list_duplicates', {
    dataset_id: datasetId,
    duplicate_threshold: level,
    page_number: page,
    page_size: GROUPS_PER_PAGE,
  });
  const mayReview = useMayOn(datasetId)('decide_review');
  const review = () => navigate(routes.review(datasetId, 'duplicates', { level }));
  useShortcut('r', review, mayReview);
  const pages = Math.max(1, Math.ceil((data?.total_groups ?? 0) / GROUPS_PER_PAGE));
  const go = (to: { level?: number; page?: number }) =>
    navigate(routes.duplicates(datasetId, { level, page: 0, ...to }));
  // The last page may have become empty, or the address may name a page that does not exist.
  const isBeyond = data !== undefined && page >= pages;
  useEffect(() => {
    if (isBeyond) navigate(routes.duplicates(datasetId, { level, page: pages - 1 }), { replace: true });
  }, [isBeyond, datasetId, level, pages]);

  const bar = (
    <DatasetBar
      datasetId={datasetId}
      dataset={dataset}
      place={data === undefined ? t('duplicates.title') : t('duplicates.groups', { count: data.total_groups })}
    >
      <Segmented
        label={t('duplicates.level')}
        value={LEVELS.find((one) => Number(one) === level) ?? '0.95'}
        options={LEVELS.map((value) => ({ value, label: t(`duplicates.levels.${value}`) }))}
        onChange={(value) => go({ level: Number(value) })}
        testId="duplicate-level"
      />
      {mayReview && (
        <Button
          icon={<ListChecks size={16} />}
          title={`${t('review.action')} (R)`}
          onClick={review}
          data-testid="open-review"
        >
          {t('review.action')}
        </Button>
      )}
    </DatasetBar>
  );
  if (error !== null && data === undefined) {
    return (
      <Page bar={bar}>
        <QueryError error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (data === undefined) {
    return (
      <Page bar={bar}>
        <div className={styles.page}>
          <Skeleton style={{ height: 240 }} />
        </div>
      </Page>
    );
  }
  return (
    <Page bar={bar} scroll>
      <div className={styles.page}>
        <Comparing datasetId={datasetId} done={data.compared_items} total={data.indexed_items} />
        {data.groups.length === 0 ? (
          <StateMessage
            testId="no-duplicates"
            icon={<CopyCheck size={24} strokeWidth={1.5} />}
            title={t('duplicates.emptyTitle')}
            text={
              level === 1
                ? t('duplicates.noneIdentical')
                : t('duplicates.noneSimilar', { percent: Math.round(level * 100) })
            }
          />
        ) : (
          <>
            <p className={styles.note}>{t('duplicates.note')}</p>
            <Groups key={`${level} ${page}`} datasetId={datasetId} level={level} groups={data.groups} />
            <footer className={styles.pages}>
              <Button disabled={page === 0} onClick={() => go({ page: page - 1 })}>
                {t('duplicates.previous')}
              </Button>
              <Button disabled={page + 1 >= pages} onClick={() => go({ page: page + 1 })} data-testid="next-groups">
                {t('duplicates.next')}
              </Button>
              <Button
                kind="quiet"
                onClick={() =>
                  navigate(routes.explore(datasetId, { filters: [{ duplicates: { op: 'duplicates', value: level } }] }))
                }
                data-testid="duplicates-in-explore"
              >
                {t('duplicates.asClusters')}
              </Button>
              <span className={styles.keys}>
                <Key name="↑" /> <Key name="↓" /> <Key name="←" /> <Key name="→" /> <Key name="X" />{' '}
                {t('duplicates.keys')}
              </span>
            </footer>
          </>
        )}
      </div>
    </Page>
  );
}

function Groups({ datasetId, level, groups }: { datasetId: string; level: number; groups: readonly DuplicateGroup[] }) {
  const edits = useEdits(datasetId);
  const mayExclude = useMayOn(datasetId)('exclude');
  const [at, setAt] = useState(0);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const current = Math.min(at, groups.length - 1);
  const keptOf = (group: DuplicateGroup) =>
    group.items.find(({ media_id }) => media_id === chosen[group.cluster_id])?.media_id ?? group.keep_media_id;

  const choose = (group: DuplicateGroup, mediaId: string) => setChosen({ ...chosen, [group.cluster_id]: mediaId });
  const step = (by: number) => {
    const group = groups[current];
    if (!group) return;
    const kept = group.items.findIndex(({ media_id }) => media_id === keptOf(group));
    const next = group.items[kept + by];
    if (next) choose(group, next.media_id);
  };
  const excludeOthers = (group: DuplicateGroup | undefined) => {
    if (!group) return;
    edits.exclude([
      {
        type: 'cluster',
        payload: {
          cluster_id: group.cluster_id,
          cluster_filters: { entity_type: 'IMAGES', duplicate_threshold: level },
          exclude_media_ids: [keptOf(group)],
        },
      },
    ]);
  };
  useShortcut('ArrowDown', () => setAt(Math.min(groups.length - 1, current + 1)));
  useShortcut('ArrowUp', () => setAt(Math.max(0, current - 1)));
  useShortcut('ArrowLeft', () => step(-1));
  useShortcut('ArrowRight', () => step(1));
  useShortcut('x', () => excludeOthers(groups[current]), mayExclude);
  return (
    <ol className={styles.groups} data-testid="duplicate-groups">
      {groups.map((group, nth) => (
        <GroupRow
          key={group.cluster_id}
          datasetId={datasetId}
          group={group}
          keptId={keptOf(group)}
          isCurrent={nth === current}
          onCurrent={() => setAt(nth)}
          onKeep={(mediaId) => choose(group, mediaId)}
          onExcludeOthers={() => excludeOthers(group)}
        />
      ))}
    </ol>
  );
}
