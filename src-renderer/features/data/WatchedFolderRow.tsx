import { Filter, Pause, Play, RotateCw, Trash } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchedFolder } from '../../../src-main/contract/schemas/watched-folder.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Offered } from '../../components/Offered.tsx';
import rows from '../../components/Rows.module.css';
import { StateMark } from '../../components/StateMark.tsx';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { messageText } from '../../lib/message-text.ts';
import { IgnoreDialog } from './IgnoreDialog.tsx';
import { PathText } from './PathText.tsx';
import { useWatchActions } from './use-watched-folders.ts';

const TONE = { scanning: 'busy', watching: 'ok', paused: 'quiet', offline: 'warn', error: 'bad' } as const;

/** One watched folder: state, last scan and actions. */
export function WatchedFolderRow({ folder }: { folder: WatchedFolder }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<'remove' | 'exclude' | null>(null);
  const { update, rescan, remove } = useWatchActions(folder.dataset_id, folder);
  const failure = update.error ?? rescan.error;
  return (
    <li className={rows.row} data-testid="watched-folder-row" data-state={folder.state}>
      <div className={rows.main}>
        <PathText path={folder.path} />
        <div className={rows.facts}>
          <StateMark tone={TONE[folder.state]}>{t(`data.state.${folder.state}`)}</StateMark>
          <span title={folder.last_scan_at === null ? undefined : formatDateTime(folder.last_scan_at)}>
            {folder.last_scan_at === null
              ? t('data.neverScanned')
              : t('data.lastScan', { when: formatAgo(folder.last_scan_at, Date.now()) })}
          </span>
          {folder.exclude.length > 0 && <span>{t('data.ignores', { patterns: folder.exclude.join(', ') })}</span>}
        </div>
        {folder.problem !== null && <p className={rows.facts}>{messageText(folder.problem)}</p>}
        {failure !== null && (
          <p className={rows.error} role="alert">
            {failure.detail}
          </p>
        )}
      </div>
      <Offered operation="update_watched_folder" datasetId={folder.dataset_id}>
        <div className={rows.actions}>
          <IconButton
            label={folder.paused ? t('data.resume') : t('data.pause')}
            icon={folder.paused ? <Play size={16} /> : <Pause size={16} />}
            disabled={update.isPending}
            onClick={() => update.mutate({ paused: !folder.paused })}
            data-testid="watch-pause"
          />
          <IconButton
            label={t('data.rescan')}
            icon={<RotateCw size={16} />}
            disabled={rescan.isPending || folder.paused || folder.state === 'scanning'}
            onClick={() => rescan.mutate()}
            data-testid="watch-rescan"
          />
          <IconButton
            label={t('data.ignore')}
            icon={<Filter size={16} />}
            onClick={() => setAsking('exclude')}
            data-testid="watch-exclude"
          />
          <IconButton
            label={t('data.remove')}
            icon={<Trash size={16} />}
            onClick={() => setAsking('remove')}
            data-testid="watch-remove"
          />
        </div>
      </Offered>
      {asking === 'exclude' && <IgnoreDialog folder={folder} onClose={() => setAsking(null)} />}
      {asking === 'remove' && (
        <ConfirmDialog
          title={t('data.removeTitle')}
          confirm={t('data.removeConfirm')}
          busy={remove.isPending}
          error={remove.error?.detail}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => setAsking(null) })}
          onClose={() => setAsking(null)}
        >
          <p>{t('data.removeText')}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}
