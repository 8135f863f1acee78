import { CornerLeftUp, Folder, House } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsShared, useMay } from '../lib/account.ts';
import { useHashPath } from '../lib/location.ts';
import { routes } from '../lib/routes.ts';
import { useOperation } from '../lib/use-operation.ts';
import styles from './FolderBrowser.module.css';
import { Skeleton } from './Skeleton.tsx';

interface FolderBrowserProps {
  /** Folder to list; empty for the home folder. */
  path: string;
  /** The caller already shows the same error beside the path. */
  quiet: boolean;
  /** Whether to show the number of images and videos in the folder. */
  counted?: boolean;
  onGo(path: string): void;
  /** Called with the path of the home folder after it was listed. */
  onHome(path: string): void;
}

/** The folders of the server's machine, one level at a time. */
export function FolderBrowser({ path, quiet, counted = true, onGo, onHome }: FolderBrowserProps) {
  const { t } = useTranslation();
  const may = useMay();
  const isShared = useIsShared();
  const input = path.trim() === '' ? {} : { path };
  const { data, error, isPending } = useOperation('list_folder', input, {
    retry: false,
    placeholderData: (old) => old,
  });

  // When listing starts at the home folder, the field shows its path.
  const home = path === '' ? data?.path : undefined;
  useEffect(() => {
    if (home !== undefined) onHome(home);
  }, [home, onHome]);

  const list = useRef<HTMLDivElement>(null);
  const entries = () => [...(list.current?.querySelectorAll('button') ?? [])];
  // Opening a folder replaces the focused entry; the keyboard continues in the new list.
  const shown = data?.path;
  const hadFocus = useRef(false);
  useEffect(() => {
    if (shown === undefined || !hadFocus.current) return;
    hadFocus.current = false;
    const [first, second] = [...(list.current?.querySelectorAll('button') ?? [])];
    (second ?? first)?.focus();
  }, [shown]);
  const open = (next: string) => {
    hadFocus.current = true;
    onGo(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const buttons = entries();
    const at = buttons.findIndex((button) => button.matches(':focus'));
    if (step !== 0) buttons[at + step]?.focus();
    else if (event.key === 'Home') buttons[0]?.focus();
    else if (event.key === 'End') buttons.at(-1)?.focus();
    else if ((event.key === 'Backspace' || event.key === 'ArrowLeft') && data?.parent != null) open(data.parent);
    else return;
    event.preventDefault();
  };

  return (
    <div className={styles.browser} data-testid="folder-browser">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the buttons inside */}
      <div ref={list} className={styles.list} onKeyDown={onKeyDown}>
        {isPending && <Skeleton style={{ height: 24, margin: 8 }} />}
        {error !== null && (
          <div>
            {!quiet && (
              <p className={styles.error} role="alert">
                {error.detail}
              </p>
            )}
            {(error.reason === 'no_folder_open' || error.reason === 'folder_not_open') && may('change_setting') && (
              <a
                className={styles.toSettings}
                href={useHashPath.hrefs(routes.settings())}
                data-testid="to-opened-folders"
              >
                {t('source.openFolders')}
              </a>
            )}
            <button type="button" className={styles.folder} data-testid="folder-home" onClick={() => onGo('')}>
              <House size={14} aria-hidden="true" />
              {t(isShared ? 'source.toOpened' : 'source.toHome')}
            </button>
          </div>
        )}
        {error === null && data !== undefined && (
          <ul aria-label={t('source.subfolders', { path: data.path })}>
            {data.parent !== null && (
              <li>
                <button type="button" className={styles.folder} onClick={() => open(data.parent ?? '')}>
                  <CornerLeftUp size={14} aria-hidden="true" />
                  {t('source.up')}
                </button>
              </li>
            )}
            {data.folders.map((folder) => (
              <li key={folder.path}>
                <button
                  type="button"
                  className={styles.folder}
                  title={folder.name}
                  data-testid="folder-entry"
                  onClick={() => open(folder.path)}
                >
                  <Folder size={14} aria-hidden="true" />
                  <span>{folder.name}</span>
                </button>
              </li>
            ))}
            {data.folders.length === 0 && <li className={styles.none}>{t('source.noFolders')}</li>}
          </ul>
        )}
      </div>
      {counted && (
        <p className={styles.media} data-testid="folder-media">
          {error === null && data !== undefined && data.path !== ''
            ? t('source.mediaHere', { count: data.n_media })
            : ' '}
        </p>
      )}
    </div>
  );
}
