import { FolderOpen, Upload } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { FilesField } from '../../components/FilesField.tsx';
import styles from '../../components/Form.module.css';
import { LocationField } from '../../components/LocationField.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { Switch } from '../../components/Switch.tsx';
import { UploadStatus } from '../../components/UploadStatus.tsx';
import { type AddMediaSource, useAddMediaRequest } from '../../lib/add-media-request.ts';
import { takesMedia, useDataset } from '../../lib/datasets.ts';
import { locationKind } from '../../lib/media-location.ts';
import { MAX_REQUEST_FILES, selectionOf } from '../../lib/upload-selection.ts';
import { useAddMedia } from './use-add-media.ts';

/** Asks what to add to a dataset and adds it, as one batch. */
export function AddMediaDialog() {
  const { datasetId, source } = useAddMediaRequest();
  return datasetId === null ? null : <Asking datasetId={datasetId} source={source} />;
}

function Asking({ datasetId, source }: { datasetId: string; source: AddMediaSource }) {
  const { t } = useTranslation();
  const close = useAddMediaRequest((state) => state.close);
  const { data: dataset } = useDataset(datasetId);
  const [mode, setMode] = useState<'files' | 'location'>(source.kind === 'location' ? 'location' : 'files');
  const [location, setLocation] = useState(source.kind === 'location' ? source.path : '');
  const [role, setRole] = useState('');
  const [files, setFiles] = useState(source.kind === 'files' ? source.files : []);
  const [regroup, setRegroup] = useState(true);
  const [complaint, setComplaint] = useState<string | undefined>();
  const work = useAddMedia(datasetId, close);
  const roleId = useId();
  const selection = selectionOf(files);
  const waiting = dataset !== undefined && !takesMedia(dataset);
  const sourceError = complaint ?? work.error?.fields.s3_uri ?? work.error?.detail;

  const forget = () => {
    setComplaint(undefined);
    work.clearError();
  };
  const cancel = () => {
    work.stop();
    close();
  };
  const complaintOf = (): string | undefined => {
    if (mode === 'location') return location.trim() === '' ? t('source.locationNeeded') : undefined;
    if (selection.kind === 'none') return t('source.filesNeeded');
    if (selection.kind === 'mixed') return t('source.mixed');
    return files.length > MAX_REQUEST_FILES ? t('addMedia.tooMany', { max: MAX_REQUEST_FILES }) : undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = complaintOf();
    setComplaint(wrong);
    if (wrong !== undefined || work.busy || waiting) return;
    if (mode === 'files') void work.fromUpload(selection, { regroup });
    else void work.fromLocation(location.trim(), locationKind(location) === 'folder' ? '' : role, { regroup });
  };

  return (
    <Dialog
      open
      onClose={cancel}
      title={t('addMedia.title', { name: dataset?.display_name ?? '' })}
      testId="add-media-dialog"
    >
      <form className={styles.form} onSubmit={submit}>
        <Segmented
          label={t('newDataset.source')}
          value={mode}
          disabled={work.busy}
          onChange={(next) => {
            setMode(next);
            forget();
          }}
          options={[
            { value: 'files', label: t('source.byUpload'), icon: <Upload size={14} /> },
            { value: 'location', label: t('source.byLocation'), icon: <FolderOpen size={14} /> },
          ]}
        />
        {mode === 'location' ? (
          <LocationField
            location={location}
            takes="any"
            testId="add-media-location"
            error={sourceError}
            onChange={(next) => {
              setLocation(next);
              forget();
            }}
          />
        ) : work.sent !== null ? (
          <UploadStatus
            text={
              selection.kind === 'archive'
                ? t('source.uploadingArchive', { name: selection.archive.file.name })
                : t('source.uploadingFiles', { files: t('common.files', { count: files.length }) })
            }
            bytesDone={work.sent.done}
            bytesTotal={work.sent.total}
          />
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
        {mode === 'location' && locationKind(location) !== 'folder' && (
          <div className={styles.field}>
            <label htmlFor={roleId}>{t('addMedia.role')}</label>
            <input
              id={roleId}
              className={styles.input}
              value={role}
              spellCheck={false}
              autoComplete="off"
              placeholder="arn:aws:iam::123456789012:role/reader"
              disabled={work.busy}
              onChange={(event) => setRole(event.target.value)}
            />
          </div>
        )}
        <Switch
          label={t('addMedia.regroup')}
          hint={regroup ? t('addMedia.regroupOn') : t('addMedia.regroupOff')}
          checked={regroup}
          disabled={work.busy}
          onChange={setRegroup}
          testId="add-media-regroup"
        />
        {waiting && !work.busy && <p className={styles.notice}>{t('addMedia.waiting')}</p>}
        <footer className={styles.footer}>
          <Button onClick={cancel}>{work.busy ? t('addMedia.stop') : t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={work.busy || waiting} data-testid="add-media-submit">
            {work.busy ? t('addMedia.adding') : t('addMedia.add')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
