import { useTranslation } from 'react-i18next';
import { countFolderLabels, type FolderLabelCounts } from '../../../src-main/contract/folder-labels.ts';
import type { FolderPreview } from '../../../src-main/contract/schemas/folder-preview.ts';
import form from '../../components/Form.module.css';
import { formatCount } from '../../lib/format.ts';
import { messageText } from '../../lib/message-text.ts';
import styles from './SourcePreview.module.css';

/** Maximum number of classes and problems that are shown. */
const SHOWN = 8;

/** Labels that the folder names of images in a folder or an upload give. */
export interface NamedByFolders {
  n_classes: number;
  classes: FolderLabelCounts['classes'];
  splits: FolderLabelCounts['splits'];
}

export function namedByFolders(paths: readonly string[]): NamedByFolders {
  const { classes, splits } = countFolderLabels(paths);
  return { n_classes: classes.length, classes, splits };
}

interface SourcePreviewProps {
  /** Undefined while the source is read, and if it cannot be previewed. */
  found: FolderPreview | undefined;
  folders: NamedByFolders;
  usesFolders: boolean;
  disabled: boolean;
  onChange(usesFolders: boolean): void;
}

/** Shows annotations and problems of a source, and offers to take the names of folders as labels. */
export function SourcePreview({ found, folders, usesFolders, disabled, onChange }: SourcePreviewProps) {
  const { t } = useTranslation();
  const { n_classes, classes, splits } = folders;
  if (found === undefined && n_classes === 0) return null;
  return (
    <section className={styles.preview} aria-label={t('newDataset.found')} data-testid="source-preview">
      {found !== undefined && <Found found={found} />}
      {n_classes > 0 && (
        <label className={styles.choice}>
          <input
            type="checkbox"
            checked={usesFolders}
            disabled={disabled}
            data-testid="folder-labels"
            onChange={({ target }) => onChange(target.checked)}
          />
          <span>
            {t('newDataset.folderLabels', { count: n_classes })}
            <span className={form.hint}>
              {' · '}
              {names(classes)}
              {splits.length > 0 &&
                ` · ${t('newDataset.splits', { splits: splits.map(({ name, count }) => `${name} ${formatCount(count)}`).join(', ') })}`}
            </span>
          </span>
        </label>
      )}
    </section>
  );
}

function Found({ found }: { found: FolderPreview }) {
  const { t } = useTranslation();
  const { n_images, n_videos, media_formats, annotations, is_complete } = found;
  const media = [
    ...(n_images > 0 ? [t('common.images', { count: n_images })] : []),
    ...(n_videos > 0 ? [t('common.videos', { count: n_videos })] : []),
  ];
  const kinds = media_formats.slice(0, SHOWN).map(({ name }) => name.toUpperCase());
  return (
    <>
      <p>
        {media.join(', ')}
        <span className={form.hint}>{` · ${kinds.join(', ')}`}</span>
      </p>
      {annotations.formats.map(({ name, n_files, n_boxes, n_labels, n_captions }) => (
        <p key={name} data-testid="preview-format">
          {name}
          <span className={form.hint}>
            {[
              '',
              t('common.files', { count: n_files }),
              ...(n_boxes > 0 ? [t('newDataset.boxes', { count: n_boxes })] : []),
              ...(n_labels > 0 ? [t('newDataset.labels', { count: n_labels })] : []),
              ...(n_captions > 0 ? [t('newDataset.captions', { count: n_captions })] : []),
            ].join(' · ')}
          </span>
        </p>
      ))}
      {annotations.n_classes > 0 && (
        <p className={form.hint}>
          {t('newDataset.classes', { count: annotations.n_classes })}
          {` · ${names(annotations.classes)}`}
        </p>
      )}
      {annotations.n_problems > 0 && (
        <details className={styles.problems} data-testid="preview-problems">
          <summary>{t('newDataset.problems', { count: annotations.n_problems })}</summary>
          <ul>
            {annotations.problems.slice(0, SHOWN).map(({ source_path, line, reason, problem }) => (
              <li key={`${source_path} ${line} ${reason}`}>
                <b>{line === null ? source_path : `${source_path}:${line}`}</b> {messageText(problem)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {!(is_complete && annotations.is_complete) && <p className={form.hint}>{t('newDataset.previewPartial')}</p>}
    </>
  );
}

function names(classes: readonly { name: string }[]): string {
  const shown = classes.slice(0, SHOWN).map(({ name }) => name);
  return [...shown, ...(classes.length > SHOWN ? ['…'] : [])].join(', ');
}
