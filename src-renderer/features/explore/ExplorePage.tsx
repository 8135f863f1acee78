import { Database, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { FileErrorsLink } from '../../components/FileErrorsLink.tsx';
import { GridSkeleton } from '../../components/GridSkeleton.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { TileSizeSlider } from '../../components/TileSizeSlider.tsx';
import { useAddMediaRequest } from '../../lib/add-media-request.ts';
import { isExplorable, stateOf, useDataset } from '../../lib/datasets.ts';
import { useExplore } from '../../lib/explore-source.ts';
import { navigate } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { routes, usePlace } from '../../lib/routes.ts';
import { AnchorChip } from './AnchorChip.tsx';
import { DatasetProgress } from './DatasetProgress.tsx';
import { DatasetStrip } from './DatasetStrip.tsx';
import { ExploreGrid } from './ExploreGrid.tsx';
import styles from './ExplorePage.module.css';
import { GranularitySlider } from './GranularitySlider.tsx';

/** A dataset: its clusters when it is ready, its progress or failure before that. */
export function ExplorePage({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { threshold, anchor } = usePlace();
  const tileWidthPx = usePreferences((state) => state.tileWidthPx);
  const add = useAddMediaRequest((request) => request.open);
  const { data: dataset, error, refetch } = useDataset(datasetId);
  const counted = dataset !== undefined && isExplorable(dataset) && anchor === undefined;
  const clusters = useExplore({ datasetId, threshold, anchor: undefined, enabled: counted });

  if (dataset === undefined) {
    return (
      <Page bar={<Bar title={error === null ? '' : t('nav.datasets')} back={routes.inventory()} />}>
        {error === null ? (
          <GridSkeleton minTilePx={tileWidthPx} gapPx={8} />
        ) : (
          <QueryError error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    );
  }

  const state = stateOf(dataset);
  const explorable = isExplorable(dataset);
  const facts = (
    <>
      {explorable && anchor === undefined && (
        <span className={styles.counts}>
          {[
            t('common.images', { count: dataset.n_images }),
            dataset.n_videos > 0 ? t('common.videos', { count: dataset.n_videos }) : null,
            clusters.total === undefined || clusters.stale ? null : t('common.clusters', { count: clusters.total }),
          ]
            .filter((count) => count !== null)
            .join(' · ')}
        </span>
      )}
      {state !== 'ready' && <StatusBadge state={state} />}
      {explorable && anchor !== undefined && <AnchorChip datasetId={datasetId} anchor={anchor} threshold={threshold} />}
      {anchor === undefined && <FileErrorsLink dataset={dataset} />}
    </>
  );
  const back = anchor === undefined ? routes.inventory() : routes.explore(datasetId, { threshold });
  return (
    <Page
      bar={
        <Bar title={dataset.display_name} back={back} facts={facts}>
          {explorable && (
            <>
              {anchor === undefined && <GranularitySlider datasetId={datasetId} threshold={threshold} />}
              <TileSizeSlider />
              <IconButton
                label={t('data.open')}
                icon={<Database size={16} />}
                onClick={() => navigate(routes.data(datasetId))}
                data-testid="open-data"
              />
              <Button
                icon={<Plus size={16} />}
                className={styles.add}
                aria-label={t('addMedia.action')}
                onClick={() => add(datasetId)}
                data-testid="add-media"
              >
                {t('addMedia.action')}
              </Button>
            </>
          )}
        </Bar>
      }
    >
      {explorable ? (
        <div className={styles.explore}>
          <DatasetStrip dataset={dataset} />
          <div className={styles.grid}>
            <ExploreGrid
              key={`${datasetId} ${anchor ?? ''}`}
              datasetId={datasetId}
              threshold={threshold}
              anchor={anchor}
              hasErrors={dataset.n_file_errors > 0}
            />
          </div>
        </div>
      ) : (
        <DatasetProgress dataset={dataset} />
      )}
    </Page>
  );
}
