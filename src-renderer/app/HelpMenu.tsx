import { BookOpen, Bug, CircleQuestionMark, Keyboard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../components/IconButton.tsx';
import { Menu, MenuItem } from '../components/Menu.tsx';
import { HELP_PAGES } from '../lib/help-pages.ts';
import { useReportRequest } from '../lib/report-request.ts';
import styles from './Rail.module.css';

/** The documentation, the keys, and how to report a problem. */
export function HelpMenu({ onShortcuts }: { onShortcuts(): void }) {
  const { t } = useTranslation();
  return (
    <Menu
      trigger={
        <IconButton
          side="right"
          className={styles.link ?? ''}
          label={t('nav.help')}
          icon={<CircleQuestionMark size={20} strokeWidth={1.5} />}
          data-testid="help-menu"
        />
      }
    >
      <MenuItem
        icon={<BookOpen size={14} />}
        onSelect={() => void window.open(HELP_PAGES.start, '_blank', 'noreferrer')}
      >
        {t('nav.documentation')}
      </MenuItem>
      <MenuItem icon={<Keyboard size={14} />} onSelect={onShortcuts}>
        {t('nav.shortcuts')}
      </MenuItem>
      <MenuItem
        icon={<Bug size={14} />}
        onSelect={() => useReportRequest.getState().setOpen(true)}
        data-testid="open-report"
      >
        {t('report.title')}
      </MenuItem>
    </Menu>
  );
}
