import { FolderOpen, Upload } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { useDatasets } from '../../lib/datasets.ts';
import { type NewDatasetSource, useNewDatasetRequest } from '../../lib/new-dataset-request.ts';
import { FilesField } from './FilesField.tsx';
import { FolderField } from './FolderField.tsx';
import styles from './NewDatasetDialog.module.css';
import { nameOfFiles } from './suggest-name.ts';
import { UploadStatus } from './UploadStatus.tsx';
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
  const [mode, setMode] = useState<'folder' | 'files'>(
    source.kind === 'files' || source.kind === 'resume' ? 'files' : 'folder',
  );
  const [folder, setFolder] = useState(source.kind === 'folder' ? source.path : '');
  const [files, setFiles] = useState(source.kind === 'files' ? source.files : []);
  const [complaint, setComplaint] = useState<'name' | 'source' | null>(null);
  const work = useNewDataset(close);
  const name = useNameField(resumed?.name, mode === 'folder' ? folder : nameOfFilesOrNone(files), taken);
  const nameId = useId();

  const nameTaken = work.error?.code === 'conflict' && work.progress === null && resumed === undefined;
  const nameError =
    complaint === 'name'
      ? t('newDataset.nameNeeded')
      : nameTaken
        ? t('newDataset.nameTaken', { name: name.value.trim() })
        : work.error?.fields.dataset_name;
  const sourceError =
    complaint === 'source'
      ? t(mode === 'folder' ? 'newDataset.folderNeeded' : 'newDataset.filesNeeded')
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
    else if (mode === 'folder' ? folder.trim() === '' : files.length === 0) setComplaint('source');
    else {
      setComplaint(null);
      void (mode === 'folder'
        ? work.fromFolder(wanted, folder.trim())
        : work.fromFiles(wanted, files, resumed?.datasetId));
    }
  };
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
              { value: 'folder', label: t('newDataset.fromFolder'), icon: <FolderOpen size={14} /> },
              { value: 'files', label: t('newDataset.fromFiles'), icon: <Upload size={14} /> },
            ]}
          />
        )}
        {mode === 'folder' ? (
          <FolderField
            path={folder}
            error={sourceError}
            onChange={(path) => {
              setFolder(path);
              forget();
            }}
          />
        ) : work.progress !== null ? (
          <UploadStatus progress={work.progress} />
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
              : mode === 'folder'
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

function nameOfFilesOrNone(files: readonly { relativePath: string }[]): string {
  return files.length === 0
    ? ''
    : nameOfFiles(
        files.map((file) => file.relativePath),
        new Date(),
      );
}
