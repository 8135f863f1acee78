import { X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { type Notice, useNotices } from '../lib/notices.ts';
import { Button } from './Button.tsx';
import { IconButton } from './IconButton.tsx';
import styles from './NoticeList.module.css';
import { ProgressBar } from './Progress.tsx';

const BRIEF_MS = 8000;

/**
 * Messages in the corner. The list is a live region, so it is in the document before its first message.
 * @param children Further messages, below the others.
 */
export function NoticeList({ children }: { children?: ReactNode }) {
  const shown = useNotices((notices) => notices.shown);
  return (
    <div className={styles.list} role="status" aria-live="polite" data-testid="notices">
      {shown.map((notice) => (
        <NoticeCard key={notice.key} notice={notice} />
      ))}
      {children}
    </div>
  );
}

function NoticeCard({ notice }: { notice: Notice }) {
  const { t } = useTranslation();
  const close = useNotices((notices) => notices.close);
  const { key, text, percent, action, isBrief = false } = notice;
  useEffect(() => {
    if (!isBrief) return;
    const timer = setTimeout(() => close(key), BRIEF_MS);
    return () => clearTimeout(timer);
  }, [isBrief, key, close]);
  return (
    <div className={styles.notice} data-testid="notice">
      <div className={styles.text}>
        <span>{text}</span>
        {percent !== undefined && <ProgressBar percent={percent} label={text} />}
      </div>
      {action !== undefined && (
        <Button
          kind="quiet"
          onClick={() => {
            close(key);
            action.run();
          }}
          data-testid="notice-action"
        >
          {action.label}
        </Button>
      )}
      <IconButton label={t('common.close')} icon={<X size={14} />} onClick={() => close(key)} />
    </div>
  );
}
