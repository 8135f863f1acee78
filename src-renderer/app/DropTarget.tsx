import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { droppedFiles, droppedFolderPath } from '../lib/dropped-files.ts';
import { useNewDatasetRequest } from '../lib/new-dataset-request.ts';
import styles from './DropTarget.module.css';

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** The whole window takes files and folders, and asks what to make of them. */
export function DropTarget() {
  const { t } = useTranslation();
  const [over, setOver] = useState(false);
  useEffect(() => {
    // Entering a child fires before leaving its parent: only the balance tells whether the pointer left the window.
    let depth = 0;
    const settle = (next: number) => {
      depth = next;
      setOver(depth > 0);
    };
    const onEnter = (event: DragEvent) => carriesFiles(event) && settle(depth + 1);
    const onLeave = (event: DragEvent) => carriesFiles(event) && settle(Math.max(0, depth - 1));
    const onOver = (event: DragEvent) => carriesFiles(event) && event.preventDefault();
    const onDrop = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      settle(0);
      if (event.defaultPrevented || event.dataTransfer === null) return;
      event.preventDefault();
      const { open } = useNewDatasetRequest.getState();
      const folder = droppedFolderPath(event.dataTransfer);
      if (folder !== null) open({ kind: 'folder', path: folder });
      else void droppedFiles(event.dataTransfer).then((files) => open({ kind: 'files', files }));
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
  const dialogOpen = useNewDatasetRequest((state) => state.source !== null);
  if (!over || dialogOpen) return null;
  return (
    <div className={styles.target} data-testid="drop-target">
      <div className={styles.text}>
        <strong>{t('drop.title')}</strong>
        <span>{t('drop.text')}</span>
      </div>
    </div>
  );
}
