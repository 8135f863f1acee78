import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from '../lib/location.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import styles from './Bar.module.css';
import { IconButton } from './IconButton.tsx';

interface BarProps {
  title: string;
  /** Address of the parent page. Esc goes there too. */
  back?: string | undefined;
  /** Next to the title, never cut: the page's name or the state. */
  pinned?: ReactNode;
  /** Counts and links, cut on narrow screens. */
  facts?: ReactNode;
  /** Search and filters, in a row of their own. */
  query?: ReactNode;
  children?: ReactNode;
}

/** The top bar: title, counts, and controls of the view. */
export function Bar({ title, back, pinned, facts, query, children }: BarProps) {
  const { t } = useTranslation();
  useShortcut('Escape', () => back !== undefined && navigate(back), back !== undefined);
  return (
    <header className={styles.bar} data-query={query !== undefined}>
      {back !== undefined && (
        <IconButton
          label={t('common.back')}
          shortcut="Esc"
          icon={<ChevronLeft size={18} />}
          onClick={() => navigate(back)}
          data-testid="back"
        />
      )}
      <div className={styles.heading}>
        <h1 className={styles.title} title={title}>
          {title}
        </h1>
        {pinned}
      </div>
      <div className={styles.facts}>{facts}</div>
      {query !== undefined && <div className={styles.query}>{query}</div>}
      <div className={styles.controls}>{children}</div>
    </header>
  );
}
