import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import { useMay } from '../lib/account.ts';
import { useAddMediaRequest } from '../lib/add-media-request.ts';
import { useDatasetHere } from '../lib/dataset-here.ts';
import { isExplorable, stateOf } from '../lib/datasets.ts';
import { type DroppedFile, droppedFiles, droppedFolderPath } from '../lib/dropped-files.ts';
import { useNewDatasetRequest } from '../lib/new-dataset-request.ts';
import { usePlace } from '../lib/routes.ts';
import { onlyImageOf, useVisualSearch } from '../lib/visual-search.ts';
import styles from './DropTarget.module.css';

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** During a drag, browsers expose only the types of the files. */
function carriesOneImage({ dataTransfer }: DragEvent): boolean {
  const [item, ...others] = dataTransfer?.items ?? [];
  return others.length === 0 && item?.kind === 'file' && item.type.startsWith('image/');
}

/** Purpose of a drop: add media to the open dataset, upload to a draft, create a dataset, or none. */
type Use = { kind: 'none' } | { kind: 'new' } | { kind: 'add' | 'resume'; dataset: Dataset };

/** Accepts files, folders and archives dropped anywhere in the window. */
export function DropTarget() {
  const { t } = useTranslation();
  const [over, setOver] = useState(false);
  const [oneImage, setOneImage] = useState(false);
  const [atRight, setAtRight] = useState(false);
  const here = useDatasetHere();
  const use = useUse(here);
  const place = usePlace();
  const byFile = useVisualSearch((search) => search.byFile);
  // A single image dropped on a dataset can also be a query image.
  const searched =
    oneImage && (use.kind === 'add' || use.kind === 'none') && here?.status_new === 'READY' ? here : undefined;
  const wantsSearch = searched !== undefined && (atRight || use.kind === 'none');
  const asking = useNewDatasetRequest((state) => state.source !== null);
  const adding = useAddMediaRequest((state) => state.datasetId !== null);
  const dialogOpen = asking || adding;
  const drop = useEffectEvent((transfer: DataTransfer) => {
    // An open dialog has its own drop area. A drop beside it must not replace its content.
    if (dialogOpen) return;
    const image = onlyImageOf(transfer.files);
    if (wantsSearch && image !== undefined) {
      void byFile(searched.id, image, place);
      return;
    }
    if (use.kind === 'none') return;
    const folder = droppedFolderPath(transfer);
    if (folder !== null && use.kind !== 'resume') openFolder(use, folder);
    else void droppedFiles(transfer).then((files) => openFiles(use, files));
  });
  useEffect(() => {
    // Entering a child fires before leaving its parent, so only a counter shows whether the pointer left the window.
    let depth = 0;
    const settle = (next: number) => {
      depth = next;
      setOver(depth > 0);
    };
    const onEnter = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      setOneImage(carriesOneImage(event));
      settle(depth + 1);
    };
    const onLeave = (event: DragEvent) => carriesFiles(event) && settle(Math.max(0, depth - 1));
    const onOver = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      setAtRight(event.clientX > window.innerWidth / 2);
      event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      settle(0);
      if (event.defaultPrevented || event.dataTransfer === null) return;
      event.preventDefault();
      drop(event.dataTransfer);
    };
    window.addEventListener('dragenter', onEnter);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('dragover', onOver);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragenter', onEnter);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
  if (!over || dialogOpen || (use.kind === 'none' && searched === undefined)) return null;
  const title =
    use.kind === 'new' || use.kind === 'none'
      ? t('drop.title')
      : t(use.kind === 'add' ? 'drop.addTitle' : 'drop.resumeTitle', { name: use.dataset.display_name });
  return (
    <div className={styles.target} data-testid="drop-target">
      {use.kind !== 'none' && (
        <Zone active={!wantsSearch} title={title}>
          {t('drop.text')}
        </Zone>
      )}
      {searched !== undefined && (
        <Zone active={wantsSearch} title={t('visual.dropTitle')}>
          {t('explore.results')}
        </Zone>
      )}
    </div>
  );
}

function Zone({ active, title, children }: { active: boolean; title: string; children: ReactNode }) {
  return (
    <div className={styles.zone} data-active={active}>
      <div className={styles.text}>
        <strong>{title}</strong>
        <span>{children}</span>
      </div>
    </div>
  );
}

function useUse(dataset: Dataset | undefined): Use {
  const may = useMay();
  const otherwise: Use = may('create_dataset') ? { kind: 'new' } : { kind: 'none' };
  if (dataset === undefined) return otherwise;
  if (stateOf(dataset) === 'draft' || stateOf(dataset) === 'uploading') {
    return may('upload_files', dataset) ? { kind: 'resume', dataset } : { kind: 'none' };
  }
  if (!isExplorable(dataset)) return otherwise;
  return may('add_media', dataset) ? { kind: 'add', dataset } : { kind: 'none' };
}

function openFolder(use: Exclude<Use, { kind: 'none' }>, path: string): void {
  if (use.kind === 'new') useNewDatasetRequest.getState().open({ kind: 'folder', path });
  else useAddMediaRequest.getState().open(use.dataset.id, { kind: 'location', path });
}

function openFiles(use: Exclude<Use, { kind: 'none' }>, files: readonly DroppedFile[]): void {
  const { open } = useNewDatasetRequest.getState();
  if (use.kind === 'add') useAddMediaRequest.getState().open(use.dataset.id, { kind: 'files', files });
  else if (use.kind === 'new') open({ kind: 'files', files });
  else open({ kind: 'resume', datasetId: use.dataset.id, name: use.dataset.display_name, files });
}
