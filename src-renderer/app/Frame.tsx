import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NoticeList } from '../components/NoticeList.tsx';
import { AddMediaDialog } from '../features/add-media/AddMediaDialog.tsx';
import { AlertToast } from '../features/alerts/AlertToast.tsx';
import { EditsDrawer } from '../features/edits/EditsDrawer.tsx';
import { ExportDialog } from '../features/exports/ExportDialog.tsx';
import { StartedExports } from '../features/exports/StartedExports.tsx';
import { NewDatasetDialog } from '../features/new-dataset/NewDatasetDialog.tsx';
import { SnapshotsDrawer } from '../features/snapshots/SnapshotsDrawer.tsx';
import { useMay } from '../lib/account.ts';
import { useAddMediaRequest } from '../lib/add-media-request.ts';
import { useDatasetHere } from '../lib/dataset-here.ts';
import { isExplorable } from '../lib/datasets.ts';
import { navigate, useAddress } from '../lib/location.ts';
import { useNewDatasetRequest } from '../lib/new-dataset-request.ts';
import { toggleTheme } from '../lib/preferences.ts';
import { useReportRequest } from '../lib/report-request.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { CrashBoundary } from './CrashBoundary.tsx';
import { DropTarget } from './DropTarget.tsx';
import { EncoderBanner } from './EncoderBanner.tsx';
import styles from './Frame.module.css';
import { Palette } from './Palette.tsx';
import { ProgressLine } from './ProgressLine.tsx';
import { Rail } from './Rail.tsx';
import { RecoveryBanner } from './RecoveryBanner.tsx';
import { ReportDialog } from './ReportDialog.tsx';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';

const MAIN_ID = 'main';

/** The frame around every screen: rail, progress line, global dialogs and drop target. */
export function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [palette, setPalette] = useState(false);
  const [shortcuts, setShortcuts] = useState(false);
  const openNew = useNewDatasetRequest((state) => state.open);
  const openAdd = useAddMediaRequest((state) => state.open);
  const { isOpen: isReporting, setOpen: setReporting } = useReportRequest();
  const address = useAddress();
  const here = useDatasetHere();
  const may = useMay();
  const mayCreate = may('create_dataset');

  useShortcut('mod+k', () => setPalette((open) => !open));
  useShortcut('?', () => setShortcuts(true));
  useShortcut('n', () => openNew(), mayCreate);
  useShortcut(
    'a',
    () => here !== undefined && openAdd(here.id),
    // The review accepts by this key.
    here !== undefined && isExplorable(here) && may('add_media', here) && !address.includes('/review/'),
  );
  useEffect(
    () =>
      window.vitrine?.onCommand((command) => {
        if (command === 'new_dataset') mayCreate && openNew();
        else if (command === 'open_palette') setPalette(true);
        else if (command === 'show_shortcuts') setShortcuts(true);
        else toggleTheme();
      }),
    [openNew, mayCreate],
  );
  useEffect(
    () =>
      window.vitrine?.onOpening(({ address: wanted, folder }) => {
        if (wanted !== undefined) navigate(wanted);
        else if (folder !== undefined) openNew({ kind: 'folder', path: folder });
      }),
    [openNew],
  );

  return (
    <div className={styles.frame}>
      <SkipLink />
      <Rail onShortcuts={() => setShortcuts(true)} />
      <main id={MAIN_ID} tabIndex={-1} className={styles.main} aria-label={t('app.name')}>
        <ConnectionBanner />
        <RecoveryBanner />
        <EncoderBanner />
        <div className={styles.screen}>
          <CrashBoundary address={address}>{children}</CrashBoundary>
          <ProgressLine />
          <NoticeList>
            <AlertToast />
          </NoticeList>
        </div>
      </main>
      <NewDatasetDialog />
      <AddMediaDialog />
      <ExportDialog />
      <StartedExports />
      <SnapshotsDrawer />
      <EditsDrawer />
      {palette && <Palette onClose={() => setPalette(false)} />}
      {isReporting && <ReportDialog onClose={() => setReporting(false)} />}
      {shortcuts && <ShortcutsDialog onClose={() => setShortcuts(false)} />}
      <DropTarget />
    </div>
  );
}

/** Moves the keyboard past the navigation. The first stop of the Tab key on every screen. */
function SkipLink() {
  const { t } = useTranslation();
  const skip = () => {
    const main = document.getElementById(MAIN_ID);
    // Grids and pages take the focus themselves; without one, the content as a whole does.
    const target = main?.querySelector<HTMLElement>('[data-skip-target], [role="grid"] [tabindex="0"]');
    (target ?? main)?.focus();
  };
  return (
    <button type="button" className={styles.skip} onClick={skip} data-testid="skip-link">
      {t('nav.skip')}
    </button>
  );
}
