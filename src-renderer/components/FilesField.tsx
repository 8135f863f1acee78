import { FileArchive, ImagePlus } from 'lucide-react';
import { type ChangeEvent, type DragEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type DroppedFile, droppedFiles, pickedFiles } from '../lib/dropped-files.ts';
import { formatBytes } from '../lib/format.ts';
import { selectionOf } from '../lib/upload-selection.ts';
import { Button } from './Button.tsx';
import styles from './FilesField.module.css';
import form from './Form.module.css';

interface FilesFieldProps {
  files: readonly DroppedFile[];
  error: string | undefined;
  onChange(files: readonly DroppedFile[]): void;
}

/** Files to upload: dropped, or chosen as files, a folder or one archive. */
export function FilesField({ files, error, onChange }: FilesFieldProps) {
  const { t } = useTranslation();
  const filePicker = useRef<HTMLInputElement>(null);
  const folderPicker = useRef<HTMLInputElement | null>(null);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const selection = selectionOf(files);
  const archive = selection.kind === 'archive' ? selection.archive : undefined;
  // A second archive replaces the first, because a request can contain only one.
  const add = (more: readonly DroppedFile[]) =>
    onChange(archive !== undefined && selectionOf(more).kind === 'archive' ? more : [...files, ...more]);
  const onPick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    add(pickedFiles(target.files ?? []));
    // Without the reset, the same files could not be chosen again after clearing.
    target.value = '';
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void droppedFiles(event.dataTransfer).then(add);
  };
  return (
    <div className={form.field}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping has its keyboard way in the buttons inside */}
      <div
        className={styles.zone}
        onDragOver={(event) => event.preventDefault()}
        onDrop={onDrop}
        data-testid="drop-zone"
      >
        {archive === undefined ? (
          <ImagePlus size={24} strokeWidth={1.5} aria-hidden="true" />
        ) : (
          <FileArchive size={24} strokeWidth={1.5} aria-hidden="true" />
        )}
        {files.length === 0 ? (
          <p>{t('source.dropHere')}</p>
        ) : (
          <p className={styles.chosen} data-testid="chosen-files">
            {t('source.chosen', {
              files: archive?.file.name ?? t('common.files', { count: files.length }),
              size: formatBytes(bytes),
            })}
          </p>
        )}
        <div className={styles.buttons}>
          <Button onClick={() => filePicker.current?.click()}>{t('source.pickFiles')}</Button>
          <Button onClick={() => folderPicker.current?.click()}>{t('source.pickFolder')}</Button>
          {files.length > 0 && (
            <Button kind="quiet" onClick={() => onChange([])}>
              {t('source.clearFiles')}
            </Button>
          )}
        </div>
        <p className={styles.hint}>{archive === undefined ? t('source.archiveHint') : t('source.archiveChosen')}</p>
        <input ref={filePicker} type="file" multiple hidden data-testid="file-input" onChange={onPick} />
        <input
          ref={(element) => {
            element?.setAttribute('webkitdirectory', '');
            folderPicker.current = element;
          }}
          type="file"
          hidden
          data-testid="folder-input"
          onChange={onPick}
        />
      </div>
      <p className={form.error} role="alert" data-testid="source-error">
        {error}
      </p>
    </div>
  );
}
