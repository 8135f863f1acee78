import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  FORMATS_WITHOUT_IMAGES,
  SPLIT_FORMATS,
} from '../../../src-main/contract/schemas/export.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Switch } from '../../components/Switch.tsx';
import { useDataset } from '../../lib/datasets.ts';
import { type ExportScopes, useExportRequest } from '../../lib/export-request.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { Choice } from './Choice.tsx';
import styles from './ExportDialog.module.css';
import { MadeExports } from './MadeExports.tsx';
import { type Scope, useStartExport } from './use-exports.ts';

/** Why the user cannot choose whether images are included. */
const IMAGES_HINTS: Partial<Record<ExportFormat, 'exports.imagesAlways' | 'exports.imagesNever'>> = {
  image_folder: 'exports.imagesAlways',
  file_list: 'exports.imagesNever',
  manifest: 'exports.imagesNever',
};
const DEFAULT_SHARES = '80,10,10';

/** Asks for scope and format of an export, and lists the existing exports. */
export function ExportDialog() {
  const { datasetId, scopes } = useExportRequest();
  return datasetId === null ? null : <Asking datasetId={datasetId} scopes={scopes} />;
}

function Asking({ datasetId, scopes }: { datasetId: string; scopes: ExportScopes }) {
  const { t } = useTranslation();
  const close = useExportRequest((state) => state.close);
  const { data: dataset } = useDataset(datasetId);
  const [scope, setScope] = useState<Scope>(scopes.chosen ? 'chosen' : scopes.found ? 'found' : 'all');
  const [format, setFormat] = useState<ExportFormat>('json');
  const [images, setImages] = useState(false);
  const [split, setSplit] = useState(false);
  const [shares, setShares] = useState(DEFAULT_SHARES);
  const [seed, setSeed] = useState('0');
  const [name, setName] = useState('');
  const start = useStartExport(datasetId, scopes);
  const id = useId();
  const isReady = dataset?.status_new === 'READY';
  const parts = SPLIT_FORMATS.includes(format);
  const { data: stats } = useOperation('get_dataset_stats', { dataset_id: datasetId });
  // Video frames are exported, too.
  const allCount = dataset?.n_videos === 0 ? dataset.n_images : stats && stats.n_images + stats.n_frames;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || start.isPending) return;
    const options = {
      export_format: format,
      include_images: images,
      file_name: name,
      ...(parts && split ? { split: shares, seed: Number(seed) } : {}),
    };
    start.mutate({ scope, options });
  };
  const offered: { value: Scope; count: number | undefined }[] = [
    { value: 'all', count: allCount },
    ...(scopes.found ? [{ value: 'found' as const, count: scopes.found.count }] : []),
    ...(scopes.chosen ? [{ value: 'chosen' as const, count: scopes.chosen.count }] : []),
  ];
  return (
    <Dialog
      open
      onClose={close}
      title={t('exports.title', { name: dataset?.display_name ?? '' })}
      width={600}
      testId="export-dialog"
    >
      <form className={form.form} onSubmit={submit}>
        <Choice<Scope>
          label={t('exports.scope')}
          value={scope}
          options={offered.map(({ value, count }) => ({
            value,
            name:
              count === undefined
                ? t(`exports.scopes.${value}`)
                : t('exports.scopeCount', { scope: t(`exports.scopes.${value}`), count }),
          }))}
          onChange={setScope}
        />
        <Choice<ExportFormat>
          label={t('exports.format')}
          value={format}
          options={EXPORT_FORMATS.map((value) => ({
            value,
            name: t(`exports.formats.${value}`),
            about: t(`exports.about.${value}`),
          }))}
          onChange={setFormat}
        />
        <Switch
          label={t('exports.images')}
          hint={t(IMAGES_HINTS[format] ?? 'exports.imagesHint')}
          checked={!FORMATS_WITHOUT_IMAGES.includes(format) && (images || format === 'image_folder')}
          disabled={IMAGES_HINTS[format] !== undefined}
          onChange={setImages}
          testId="export-images"
        />
        {parts && (
          <Switch
            label={t('exports.split')}
            hint={t('exports.splitHint')}
            checked={split}
            onChange={setSplit}
            testId="export-split"
          />
        )}
        {parts && split && (
          <div className={styles.pair}>
            <div className={form.field}>
              <label htmlFor={`${id}-shares`}>{t('exports.shares')}</label>
              <input
                id={`${id}-shares`}
                className={form.input}
                value={shares}
                autoComplete="off"
                data-testid="export-shares"
                onChange={(event) => setShares(event.target.value)}
              />
            </div>
            <div className={form.field}>
              <label htmlFor={`${id}-seed`}>{t('exports.seed')}</label>
              <input
                id={`${id}-seed`}
                className={form.input}
                value={seed}
                inputMode="numeric"
                autoComplete="off"
                onChange={(event) => setSeed(event.target.value)}
              />
            </div>
          </div>
        )}
        <div className={form.field}>
          <label htmlFor={`${id}-name`}>{t('exports.fileName')}</label>
          <input
            id={`${id}-name`}
            className={form.input}
            value={name}
            spellCheck={false}
            autoComplete="off"
            placeholder={`${dataset?.display_name ?? ''}.zip`}
            data-testid="export-name"
            onChange={(event) => setName(event.target.value)}
          />
          <p className={form.error} role="alert">
            {start.error?.detail}
          </p>
        </div>
        {dataset !== undefined && !isReady && <p className={form.notice}>{t('exports.notReady')}</p>}
        <footer className={form.footer}>
          <Button onClick={close}>{t('common.close')}</Button>
          <Button kind="primary" type="submit" disabled={!isReady || start.isPending} data-testid="export-start">
            {start.isPending ? t('exports.starting') : t('exports.start')}
          </Button>
        </footer>
        <MadeExports datasetId={datasetId} />
      </form>
    </Dialog>
  );
}
