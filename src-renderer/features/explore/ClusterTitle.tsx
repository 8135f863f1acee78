import { Split } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/IconButton.tsx';
import { NameInput } from '../../components/NameInput.tsx';
import { useClusterItems } from '../../lib/explore-source.ts';
import type { Place } from '../../lib/routes.ts';
import { useClusterEdits } from '../../lib/use-cluster-edits.ts';
import { useClusterName } from '../../lib/use-cluster-name.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import styles from './ExplorePage.module.css';

/** The name of the cluster that the page lists, and its number of items. A click on the name, or F2, edits it in place. */
export function ClusterTitle({ datasetId, clusterId, place }: { datasetId: string; clusterId: string; place: Place }) {
  const { t } = useTranslation();
  const naming = useClusterName(datasetId);
  const clusters = useClusterEdits(datasetId);
  const { name, automaticName, total, isMerged } = useClusterItems(datasetId, clusterId, place);
  useShortcut('F2', () => naming.edit(clusterId), naming.may);
  const shown = name ?? t('cluster.title');
  const isNarrowed = place.labels.length > 0 || place.filters.length > 0;
  return (
    <span className={styles.counts} data-testid="cluster-count">
      {naming.of === clusterId ? (
        <NameInput
          inline
          label={t('explore.clusterName')}
          name={name === automaticName ? '' : (name ?? '')}
          automatic={automaticName}
          onDone={(next) => naming.done(clusterId, next)}
        />
      ) : naming.may ? (
        <button
          type="button"
          className={styles.name}
          title={`${t('explore.rename')} (F2)`}
          data-testid="rename-cluster"
          onClick={() => naming.edit(clusterId)}
        >
          {shown}
        </button>
      ) : (
        shown
      )}
      {total !== undefined && ` · ${t('common.items', { count: total })}`}
      {isNarrowed && ` · ${t('cluster.narrowed')}`}
      {isMerged === true && clusters.may && (
        <IconButton
          label={t('cluster.split')}
          icon={<Split size={14} />}
          onClick={() => clusters.edit('split', [clusterId])}
          data-testid="split-cluster"
        />
      )}
    </span>
  );
}
