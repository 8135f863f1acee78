import { type FormEvent, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import styles from '../../components/Form.module.css';
import { MediaChoiceField } from '../../components/MediaChoiceField.tsx';
import { useIsShared } from '../../lib/account.ts';
import { useDatasets } from '../../lib/datasets.ts';
import type { DroppedFile } from '../../lib/dropped-files.ts';
import { formatCount } from '../../lib/format.ts';
import { withoutListEnding } from '../../lib/media-location.ts';
import { type NewDatasetSource, useNewDatasetRequest } from '../../lib/new-dataset-request.ts';
import { type UploadSelection, withoutArchiveEnding } from '../../lib/upload-selection.ts';
import { useMediaChoice } from '../../lib/use-media-choice.ts';
import { type ChosenEncoder, EncoderField } from './EncoderField.tsx';
import { namedByFolders, SourcePreview } from './SourcePreview.tsx';
import { nameOfFiles } from './suggest-name.ts';
import { useFolderPreview } from './use-folder-preview.ts';
import { useNameField } from './use-name-field.ts';
import { useNewDataset } from './use-new-dataset.ts';
import { useUploadPreview } from './use-upload-preview.ts';
import { useWorkspaceChoice } from './use-workspace-choice.ts';
import { WorkspaceField } from './WorkspaceField.tsx';

const NO_FILES: readonly DroppedFile[] = [];
const NOTHING: UploadSelection = { kind: 'none' };
const IMAGE_NAME = /\.(png|jpe?g|jfif|gif|tiff?|hei[cf]|avif|bmp|webp|jp2)$/i;

/** Asks for name and source of a dataset, creates it and opens it. */
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
  const isShared = useIsShared();
  const given = source.kind === 'files' || source.kind === 'resume' ? source.files : undefined;
  const choice = useMediaChoice({
    mode: given !== undefined || (source.kind === 'none' && isShared) ? 'files' : 'location',
    location: source.kind === 'folder' ? source.path : '',
    files: given ?? [],
  });
  const { mode, location, selection } = choice;
  const [complaint, setComplaint] = useState<'name' | 'source' | null>(null);
  const [encoder, setEncoder] = useState<ChosenEncoder>({ id: '', package_to_fetch: null });
  const inFolder = useFolderPreview(mode === 'location' ? location : '');
  const inUpload = useUploadPreview(mode === 'files' ? selection : NOTHING);
  const found = mode === 'location' ? inFolder : inUpload;
  const nFound = found === undefined ? null : found.n_images + found.n_videos;
  const nFiles = mode === 'files' && selection.kind === 'files' ? selection.files.length : nFound;
  const uploaded = mode === 'files' && selection.kind === 'files' ? selection.files : NO_FILES;
  const ofUpload = useMemo(() => namedByFolders(imagesOf(uploaded)), [uploaded]);
  const folders = found?.folder_labels ?? ofUpload;
  // Folders are suggested as labels where they name several classes and no annotation gives labels.
  const suggested = folders.n_classes > 1 && (found?.annotations.n_classes ?? 0) === 0;
  const [chosenFolders, chooseFolders] = useState<boolean | null>(null);
  const usesFolders = folders.n_classes > 0 && (chosenFolders ?? suggested);
  const place = useWorkspaceChoice();
  const work = useNewDataset(encoder, { workspaceId: place.workspaceId, usesFolders }, close);
  const origin = mode === 'location' ? withoutListEnding(location) : nameOfSelection(selection);
  const name = useNameField(resumed?.name, origin, taken);
  const nameId = useId();

  const nameError = complaint === 'name' ? t('newDataset.nameNeeded') : work.error?.fields.dataset_name;
  const isNameTaken = taken.includes(name.value.trim());
  const sourceError =
    complaint === 'source' && choice.problem !== undefined
      ? t(`source.${choice.problem}`)
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
    const typed = name.value.trim();
    if (typed === '') setComplaint('name');
    else if (choice.problem !== undefined) setComplaint('source');
    else if (mode === 'location') void work.fromLocation(typed, location);
    else if (selection.kind === 'archive') void work.fromArchive(typed, selection.archive, resumed?.datasetId);
    else if (selection.kind === 'files') void work.fromFiles(typed, selection.files, resumed?.datasetId);
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
        <MediaChoiceField
          choice={choice}
          error={sourceError}
          busy={work.busy}
          filesOnly={resumed !== undefined}
          locationTestId="folder-path"
          upload={
            work.progress && {
              text: uploadText,
              bytesDone: work.progress.bytesDone,
              bytesTotal: work.progress.bytesTotal,
            }
          }
          onChange={(change) => {
            choice.change(change);
            forget();
          }}
        />
        <SourcePreview
          found={found}
          folders={folders}
          usesFolders={usesFolders}
          disabled={work.busy}
          onChange={chooseFolders}
        />
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
              aria-describedby={`${nameId}-error ${nameId}-taken`}
              data-testid="dataset-name"
              onChange={(event) => {
                name.change(event.target.value);
                forget();
              }}
            />
            <p id={`${nameId}-error`} className={styles.error} role="alert" data-testid="name-error">
              {nameError}
            </p>
            {isNameTaken && !work.busy && (
              <p id={`${nameId}-taken`} className={styles.notice} role="status" data-testid="name-taken">
                {t('newDataset.nameTaken', { name: name.value.trim() })}
              </p>
            )}
          </div>
        )}
        {resumed === undefined && place.workspaces.length > 1 && (
          <WorkspaceField
            workspaces={place.workspaces}
            value={place.workspaceId ?? ''}
            disabled={work.busy}
            onChange={(workspaceId) => {
              // A draft whose upload failed is already in the previously chosen workspace.
              work.giveUp();
              place.choose(workspaceId);
              forget();
            }}
          />
        )}
        {resumed === undefined && (
          <EncoderField value={encoder.id} nFiles={nFiles} disabled={work.busy} onChange={setEncoder} />
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

/** Relative paths of the images among files. */
function imagesOf(files: readonly DroppedFile[]): string[] {
  return files.flatMap(({ relativePath }) => (IMAGE_NAME.test(relativePath) ? [relativePath] : []));
}

function nameOfSelection(selection: UploadSelection): string {
  if (selection.kind === 'archive') return withoutArchiveEnding(selection.archive.file.name);
  if (selection.kind !== 'files') return '';
  const paths = selection.files.map((file) => file.relativePath);
  return nameOfFiles(paths, new Date());
}
