import { useTranslation } from 'react-i18next';
import { Offered } from '../../components/Offered.tsx';
import rows from '../../components/Rows.module.css';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useWatchedFolders } from './use-watched-folders.ts';
import { WatchedFolderRow } from './WatchedFolderRow.tsx';
import { WatchForm } from './WatchForm.tsx';

/** Folders whose new files are added automatically. */
export function WatchedFolders({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { data, error } = useWatchedFolders(datasetId);
  return (
    <Section title={t('data.watched')} text={t('data.watchedText')} error={error}>
      {data === undefined ? (
        error === null && <Skeleton style={{ height: 52 }} />
      ) : data.watched_folders.length === 0 ? (
        <p className={rows.none}>{t('data.noWatched')}</p>
      ) : (
        <ul className={rows.list}>
          {data.watched_folders.map((folder) => (
            <WatchedFolderRow key={folder.watch_id} folder={folder} />
          ))}
        </ul>
      )}
      <Offered operation="add_watched_folder" datasetId={datasetId}>
        <WatchForm datasetId={datasetId} />
      </Offered>
    </Section>
  );
}
