import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DatasetSource } from '../../../src-main/contract/schemas/watched-folder.ts';
import { Button } from '../../components/Button.tsx';
import { Offered } from '../../components/Offered.tsx';
import rows from '../../components/Rows.module.css';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMark } from '../../components/StateMark.tsx';
import { useOperation } from '../../lib/use-operation.ts';
import { MoveSourceDialog } from './MoveSourceDialog.tsx';
import { PathText } from './PathText.tsx';

const POLL_MS = 10_000;

/** The source folders of a dataset, their availability, and a way to relocate them. */
export function Sources({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const [moving, setMoving] = useState<DatasetSource | null>(null);
  const { data, error } = useOperation('list_sources', { dataset_id: datasetId }, { refetchInterval: POLL_MS });
  return (
    <Section title={t('data.sources')} text={t('data.sourcesText')} error={error}>
      {data === undefined ? (
        error === null && <Skeleton style={{ height: 52 }} />
      ) : data.sources.length === 0 ? (
        <p className={rows.none}>{t('data.noSources')}</p>
      ) : (
        <ul className={rows.list}>
          {data.sources.map((source) => (
            <SourceRow key={source.source_id} datasetId={datasetId} source={source} onMove={() => setMoving(source)} />
          ))}
        </ul>
      )}
      {moving !== null && <MoveSourceDialog datasetId={datasetId} source={moving} onClose={() => setMoving(null)} />}
    </Section>
  );
}

function SourceRow({ datasetId, source, onMove }: { datasetId: string; source: DatasetSource; onMove(): void }) {
  const { t } = useTranslation();
  return (
    <li className={rows.row} data-testid="source-row" data-available={source.available}>
      <div className={rows.main}>
        {source.path === null ? <p>{t('data.stored')}</p> : <PathText path={source.path} />}
        <p className={rows.facts}>
          <span>{t('common.files', { count: source.n_files })}</span>
          {source.kind === 'folder' && (
            <StateMark tone={source.available ? 'ok' : 'warn'}>
              {source.available ? t('data.available') : t('data.unavailable')}
            </StateMark>
          )}
        </p>
      </div>
      {source.kind === 'folder' && (
        <Offered operation="move_source" datasetId={datasetId}>
          <div className={rows.actions}>
            <Button onClick={onMove} data-testid="move-source">
              {t('data.move')}
            </Button>
          </div>
        </Offered>
      )}
    </li>
  );
}
