import type { ReactNode } from 'react';
import { SelectionTray } from '../components/SelectionTray.tsx';
import { useMayOn } from '../lib/datasets.ts';
import { useEditsRequest } from '../lib/edits-request.ts';
import { useAddress } from '../lib/location.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { useUndoLatest } from '../lib/use-undo-latest.ts';
import styles from './DatasetFrame.module.css';

/** The frame around every screen of a dataset: the tray below, and the keys of its edits. */
export function DatasetFrame({ datasetId, children }: { datasetId: string; children: ReactNode }) {
  const may = useMayOn(datasetId);
  const undoLatest = useUndoLatest(datasetId);
  // The review undoes its decisions first.
  const isReview = useAddress().includes('/review/');
  useShortcut('mod+z', undoLatest, may('undo_edit') && !isReview);
  useShortcut('Z', () => useEditsRequest.getState().open(datasetId), may('list_edits'));
  return (
    <div className={styles.frame}>
      <div className={styles.screen}>{children}</div>
      <SelectionTray datasetId={datasetId} />
    </div>
  );
}
