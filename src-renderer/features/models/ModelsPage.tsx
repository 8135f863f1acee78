import { Boxes, FolderInput, ListFilter, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ENRICHMENT_TYPES, type EnrichmentType } from '../../../src-main/contract/schemas/model-definition.ts';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { Column } from '../../components/Column.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuChoice } from '../../components/Menu.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useMay } from '../../lib/account.ts';
import { navigate } from '../../lib/location.ts';
import { usePackages } from '../../lib/models.ts';
import { type ModelsPlace, routes, useModelsPlace } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { Devices } from './Devices.tsx';
import { DownloadSettings } from './DownloadSettings.tsx';
import { groupByType } from './group-by-type.ts';
import { ImportDialog } from './ImportDialog.tsx';
import { ModelRow } from './ModelRow.tsx';
import styles from './ModelsPage.module.css';

/** Installed and available models, grouped by type. */
export function ModelsPage() {
  const { t } = useTranslation();
  const place = useModelsPlace();
  const mayManage = useMay()('import_models');
  const type = ENRICHMENT_TYPES.find((one) => one === place.type);
  const find = place.find ?? '';
  const [importing, setImporting] = useState(false);
  const { data, error, refetch } = usePackages();
  const { data: settings } = useOperation('get_model_settings', {});
  const go = (change: ModelsPlace) =>
    navigate(routes.models({ type: place.type, find: place.find, ...change }), { replace: true });

  const packages = data?.packages ?? [];
  const some = packages.length > 0;
  const bar = (
    <Bar
      title={t('models.title')}
      facts={
        some && (
          <span className={styles.count}>
            {t('models.installedCount', {
              installed: packages.filter((one) => one.state === 'installed').length,
              total: packages.length,
            })}
          </span>
        )
      }
    >
      {some && (
        <>
          <SearchField
            label={t('models.search')}
            value={find}
            onChange={(text) => go({ find: text === '' ? undefined : text })}
          />
          <TypeFilter type={type} onChange={(next) => go({ type: next })} />
        </>
      )}
      {mayManage && (
        <Button
          kind="primary"
          icon={<FolderInput size={16} />}
          onClick={() => setImporting(true)}
          data-testid="import-models"
        >
          {t('models.import')}
        </Button>
      )}
    </Bar>
  );
  if (data === undefined) {
    return (
      <Page bar={bar} scroll>
        {error === null ? <RowSkeletons /> : <QueryError error={error} onRetry={() => void refetch()} />}
        {importing && <ImportDialog onClose={() => setImporting(false)} />}
      </Page>
    );
  }
  const groups = groupByType(packages, type, find);
  return (
    <Page bar={bar} scroll>
      <Column testId="models-page">
        {settings?.never_download === true && (
          <p className={styles.notice} role="note" data-testid="downloads-off">
            <strong>{t('models.offTitle')}</strong> {t('models.offText')}
          </p>
        )}
        {!some && (
          <StateMessage
            icon={<Boxes size={24} strokeWidth={1.5} />}
            title={t('models.emptyTitle')}
            text={t('models.emptyText')}
            actions={mayManage && <Button onClick={() => setImporting(true)}>{t('models.importFrom')}</Button>}
          />
        )}
        {some && groups.length === 0 && (
          <StateMessage
            icon={<SearchX size={24} strokeWidth={1.5} />}
            title={t('models.noMatchTitle')}
            text={t('models.noMatch')}
            actions={<Button onClick={() => navigate(routes.models())}>{t('models.showAll')}</Button>}
          />
        )}
        {groups.map((group) => (
          <Section
            key={group.type}
            title={t(`modelType.${group.type}`)}
            text={t(`modelTypeText.${group.type}`)}
            testId={`models-${group.type}`}
          >
            <ul className={styles.list}>
              {group.entries.map(({ files, model }) => (
                <ModelRow
                  key={model.id}
                  files={files}
                  model={model}
                  downloadsOff={settings?.never_download ?? false}
                  marked={files.package_id === place.package}
                  onImport={() => setImporting(true)}
                />
              ))}
            </ul>
          </Section>
        ))}
        <Devices />
        {mayManage && <DownloadSettings />}
      </Column>
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </Page>
  );
}

interface TypeFilterProps {
  type: EnrichmentType | undefined;
  onChange(type: EnrichmentType | undefined): void;
}

function TypeFilter({ type, onChange }: TypeFilterProps) {
  const { t } = useTranslation();
  const options: { value: EnrichmentType | 'all'; label: string }[] = [
    { value: 'all', label: t('models.allTypes') },
    ...ENRICHMENT_TYPES.map((value) => ({ value, label: t(`modelType.${value}`) })),
  ];
  const label = type === undefined ? t('models.filter') : `${t('models.filter')}: ${t(`modelType.${type}`)}`;
  return (
    <Menu
      trigger={
        <IconButton
          label={label}
          icon={<ListFilter size={16} />}
          className={type === undefined ? '' : (styles.filtered ?? '')}
          data-testid="filter-type"
        />
      }
    >
      <MenuChoice
        value={type ?? 'all'}
        options={options}
        onChange={(next) => onChange(next === 'all' ? undefined : next)}
      />
    </Menu>
  );
}

function RowSkeletons() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('common.loading')}>
      <Column>
        {[3, 2, 3].map((rows, group) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: boxes that never change places
          <div key={group}>
            <Skeleton style={{ height: 20, width: 160, marginBottom: 12 }} />
            {Array.from({ length: rows }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: boxes that never change places
              <Skeleton key={row} style={{ height: 64, marginBottom: 2 }} />
            ))}
          </div>
        ))}
      </Column>
    </div>
  );
}
