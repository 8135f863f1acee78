import { FolderOpen, Upload } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { FilesField } from '../../components/FilesField.tsx';
import styles from '../../components/Form.module.css';
import { LocationField } from '../../components/LocationField.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { UploadStatus } from '../../components/UploadStatus.tsx';
import { useDatasets } from '../../lib/datasets.ts';
import type { DroppedFile } from '../../lib/dropped-files.ts';
import { formatCount } from '../../lib/format.ts';
import { withoutListEnding } from '../../lib/media-location.ts';
import { type NewDatasetSource, useNewDatasetRequest } from '../../lib/new-dataset-request.ts';
import { selectionOf, withoutArchiveEnding } from '../../lib/upload-selection.ts';
import { nameOfFiles } from './suggest-name.ts';
import { useNameField } from './use-name-field.ts';
import { useNewDataset } from './use-new-dataset.ts';

/** Asks for a name and where the pictures are, makes the dataset, and goes to it. */
export function NewDatasetDialog() {
  const source = useNewDatasetRequest((state) => state.source);
  return source === null ? null : <Asking source={source} />;
}

function Asking({ source }: { source: NewDatasetSource }) {
  const { t } = useTranslation();
  const close = useNewDatasetRequest((state) => state.close);
  const { data: datasets = [] } = useDatasets();
  const taken = datasets.map((dataset) => dataset.display_name);
  const resumed = source.kind === 'resume' ? source : undefined;
  const [mode, setMode] = useState<'location' | 'files'>(
    source.kind === 'files' || source.kind === 'resume' ? 'files' : 'location',
  );
  const [location, setLocation] = useState(source.kind === 'folder' ? source.path : '');
  const [files, setFiles] = useState(source.kind === 'files' || source.kind === 'resume' ? source.files : []);
  const [complaint, setComplaint] = useState<'name' | 'source' | 'mixed' | null>(null);
  const work = useNewDataset(close);
  const selection = selectionOf(files);
  const name = useNameField(
    resumed?.name,
    mode === 'location' ? withoutListEnding(location) : nameOfFilesOrNone(files),
    taken,
  );
  const nameId = useId();

  const nameTaken = work.error?.code === 'conflict' && work.progress === null && resumed === undefined;
  const nameError =
    complaint === 'name'
      ? t('newDataset.nameNeeded')
      : nameTaken
        ? t('newDataset.nameTaken', { name: name.value.trim() })
        : work.error?.fields.dataset_name;
  const sourceError =
    complaint === 'mixed'
      ? t('source.mixed')
      : complaint === 'source'
        ? t(mode === 'location' ? 'source.locationNeeded' : 'source.filesNeeded')
        : work.error !== null && nameError === undefined
          ? (work.error.fields.bucket_path ?? work.error.detail)
          : undefined;

  const cancel = () => {
    work.giveUp();
    close();
  };
  const forget = () => {
    setComplaint(null);
    work.clearError();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.value.trim();
    if (wanted === '') setComplaint('name');
    else if (mode === 'location') {
      if (location.trim() === '') setComplaint('source');
      else void work.fromLocation(wanted, location.trim());
    } else if (selection.kind === 'none') setComplaint('source');
    else if (selection.kind === 'mixed') setComplaint('mixed');
    else if (selection.kind === 'archive') void work.fromArchive(wanted, selection.archive, resumed?.datasetId);
    else void work.fromFiles(wanted, selection.files, resumed?.datasetId);
  };
  const uploadText =
    selection.kind === 'archive'
      ? t('source.uploadingArchive', { name: selection.archive.file.name })
      : t('source.uploading', {
          done: formatCount(work.progress?.filesDone ?? 0),
          total: t('common.files', { count: work.progress?.filesTotal ?? 0 }),
        });
  const title = resumed === undefined ? t('newDataset.title') : t('newDataset.resumeTitle', { name: resumed.name });
  return (
    <Dialog open onClose={cancel} title={title} testId="new-dataset-dialog">
      <form className={styles.form} onSubmit={submit}>
        {resumed === undefined && (
          <Segmented
            label={t('newDataset.source')}
            value={mode}
            disabled={work.busy}
            onChange={(next) => {
              setMode(next);
              forget();
            }}
            options={[
              { value: 'location', label: t('source.byLocation'), icon: <FolderOpen size={14} /> },
              { value: 'files', label: t('source.byUpload'), icon: <Upload size={14} /> },
            ]}
          />
        )}
        {mode === 'location' ? (
          <LocationField
            location={location}
            takes="any"
            testId="folder-path"
            error={sourceError}
            onChange={(next) => {
              setLocation(next);
              forget();
            }}
          />
        ) : work.progress !== null ? (
          <UploadStatus text={uploadText} bytesDone={work.progress.bytesDone} bytesTotal={work.progress.bytesTotal} />
        ) : (
          <FilesField
            files={files}
            error={sourceError}
            onChange={(next) => {
              setFiles(next);
              forget();
            }}
          />
        )}
        {resumed === undefined && (
          <div className={styles.field}>
            <label htmlFor={nameId}>{t('newDataset.name')}</label>
            <input
              id={nameId}
              className={styles.input}
              value={name.value}
              maxLength={255}
              spellCheck={false}
              autoComplete="off"
              disabled={work.busy}
              placeholder={t('newDataset.namePlaceholder')}
              aria-invalid={nameError !== undefined}
              aria-describedby={`${nameId}-error`}
              data-testid="dataset-name"
              onChange={(event) => {
                name.change(event.target.value);
                forget();
              }}
            />
            <p id={`${nameId}-error`} className={styles.error} role="alert" data-testid="name-error">
              {nameError}
            </p>
          </div>
        )}
        <footer className={styles.footer}>
          <Button onClick={cancel}>{work.progress === null ? t('common.cancel') : t('newDataset.cancelUpload')}</Button>
          <Button kind="primary" type="submit" disabled={work.busy} data-testid="create-dataset">
            {work.busy
              ? t('newDataset.creating')
              : mode === 'location'
                ? t('newDataset.create')
                : work.error?.transient === true
                  ? t('newDataset.retryUpload')
                  : t('newDataset.upload')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function nameOfFilesOrNone(files: readonly DroppedFile[]): string {
  const selection = selectionOf(files);
  if (selection.kind === 'archive') return withoutArchiveEnding(selection.archive.file.name);
  return files.length === 0
    ? ''
    : nameOfFiles(
        files.map((file) => file.relativePath),
        new Date(),
      );
}
