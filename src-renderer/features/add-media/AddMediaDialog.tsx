import { FolderSync } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import styles from '../../components/Form.module.css';
import { MediaChoiceField } from '../../components/MediaChoiceField.tsx';
import { Switch } from '../../components/Switch.tsx';
import { useMay } from '../../lib/account.ts';
import { type AddMediaSource, useAddMediaRequest } from '../../lib/add-media-request.ts';
import { takesMedia, useDataset } from '../../lib/datasets.ts';
import { locationKind } from '../../lib/media-location.ts';
import { MAX_REQUEST_FILES } from '../../lib/upload-selection.ts';
import { useMediaChoice } from '../../lib/use-media-choice.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useAddMedia } from './use-add-media.ts';

/** Asks for media to add to a dataset and adds them as one batch. */
export function AddMediaDialog() {
  const { datasetId, source } = useAddMediaRequest();
  return datasetId === null ? null : <Asking datasetId={datasetId} source={source} />;
}

function Asking({ datasetId, source }: { datasetId: string; source: AddMediaSource }) {
  const { t } = useTranslation();
  const close = useAddMediaRequest((state) => state.close);
  const { data: dataset } = useDataset(datasetId);
  const choice = useMediaChoice({
    mode: source.kind === 'location' ? 'location' : 'files',
    location: source.kind === 'location' ? source.path : '',
    files: source.kind === 'files' ? source.files : [],
  });
  const { mode, location, files, selection } = choice;
  const [role, setRole] = useState('');
  const [regroup, setRegroup] = useState(true);
  // The folder browser starts at the location that it was created with.
  const [offered, setOffered] = useState(0);
  const [complaint, setComplaint] = useState<string | undefined>();
  const work = useAddMedia(datasetId, close);
  const roleId = useId();
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
    if (choice.problem !== undefined) return t(`source.${choice.problem}`);
    const tooMany = mode === 'files' && files.length > MAX_REQUEST_FILES;
    return tooMany ? t('addMedia.tooMany', { max: MAX_REQUEST_FILES }) : undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = complaintOf();
    setComplaint(wrong);
    if (wrong !== undefined || work.busy || waiting) return;
    if (mode === 'files') void work.fromUpload(selection, { regroup });
    else void work.fromLocation(location, locationKind(location) === 'folder' ? '' : role, { regroup });
  };

  return (
    <Dialog
      open
      onClose={cancel}
      title={t('addMedia.title', { name: dataset?.display_name ?? '' })}
      testId="add-media-dialog"
    >
      <form className={styles.form} onSubmit={submit}>
        {mode === 'location' && (
          <MadeFrom
            datasetId={datasetId}
            chosen={location}
            disabled={work.busy}
            onChoose={(chosen) => {
              setOffered((times) => times + 1);
              choice.change({ location: chosen });
              forget();
            }}
          />
        )}
        <MediaChoiceField
          key={offered}
          choice={choice}
          error={sourceError}
          busy={work.busy}
          locationTestId="add-media-location"
          upload={
            work.sent && {
              text:
                selection.kind === 'archive'
                  ? t('source.uploadingArchive', { name: selection.archive.file.name })
                  : t('source.uploadingFiles', { files: t('common.files', { count: files.length }) }),
              bytesDone: work.sent.done,
              bytesTotal: work.sent.total,
            }
          }
          onChange={(change) => {
            choice.change(change);
            forget();
          }}
        />
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

interface MadeFromProps {
  datasetId: string;
  chosen: string;
  disabled: boolean;
  onChoose(location: string): void;
}

/** Offers the locations that the dataset was made from. Adding one again imports its new files. */
function MadeFrom({ datasetId, chosen, disabled, onChoose }: MadeFromProps) {
  const { t } = useTranslation();
  const may = useMay();
  const { data: dataset } = useDataset(datasetId);
  const isAllowed = dataset !== undefined && may('list_sources', dataset);
  const { data } = useOperation('list_sources', { dataset_id: datasetId }, { enabled: isAllowed });
  const folders = (data?.sources ?? []).flatMap(({ path, available }) => (path !== null && available ? [path] : []));
  const places = dataset?.source_type === 'BUCKET' ? [dataset.source_uri, ...folders] : folders;
  if (places.length === 0) return null;
  return (
    <div className={styles.field} data-testid="made-from">
      <p className={styles.hint}>{t('addMedia.madeFrom')}</p>
      {places.map((place) => (
        <Button
          key={place}
          icon={<FolderSync size={14} />}
          className={styles.wide ?? ''}
          disabled={disabled}
          aria-pressed={chosen === place}
          title={place}
          onClick={() => onChoose(place)}
          data-testid="made-from-place"
        >
          {place}
        </Button>
      ))}
    </div>
  );
}
