import { ImagePlus } from 'lucide-react';
import { type DragEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { type DroppedFile, droppedFiles, pickedFiles } from '../../lib/dropped-files.ts';
import { formatBytes } from '../../lib/format.ts';
import styles from './FilesField.module.css';
import form from './NewDatasetDialog.module.css';

interface FilesFieldProps {
  files: readonly DroppedFile[];
  error: string | undefined;
  onChange(files: readonly DroppedFile[]): void;
}

/** Files to upload: dropped here, or picked one by one or as a folder. */
export function FilesField({ files, error, onChange }: FilesFieldProps) {
  const { t } = useTranslation();
  const filePicker = useRef<HTMLInputElement>(null);
  const folderPicker = useRef<HTMLInputElement | null>(null);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const add = (more: readonly DroppedFile[]) => onChange([...files, ...more]);
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
        <ImagePlus size={24} strokeWidth={1.5} aria-hidden="true" />
        {files.length === 0 ? (
          <p>{t('newDataset.dropHere')}</p>
        ) : (
          <p className={styles.chosen} data-testid="chosen-files">
            {t('newDataset.chosen', { files: t('common.files', { count: files.length }), size: formatBytes(bytes) })}
          </p>
        )}
        <div className={styles.buttons}>
          <Button onClick={() => filePicker.current?.click()}>{t('newDataset.pickFiles')}</Button>
          <Button onClick={() => folderPicker.current?.click()}>{t('newDataset.pickFolder')}</Button>
          {files.length > 0 && (
            <Button kind="quiet" onClick={() => onChange([])}>
              {t('newDataset.clearFiles')}
            </Button>
          )}
        </div>
        <input
          ref={filePicker}
          type="file"
          multiple
          hidden
          data-testid="file-input"
          onChange={(event) => add(pickedFiles(event.target.files ?? []))}
        />
        <input
          ref={(element) => {
            element?.setAttribute('webkitdirectory', '');
            folderPicker.current = element;
          }}
          type="file"
          hidden
          data-testid="folder-input"
          onChange={(event) => add(pickedFiles(event.target.files ?? []))}
        />
      </div>
      <p className={form.error} role="alert" data-testid="source-error">
        {error}
      </p>
    </div>
  );
}
