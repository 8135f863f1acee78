import { Boxes, ListChecks, Settings, SunMoon, UserCheck, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Glyph } from '../components/Glyph.tsx';
import { IconButton } from '../components/IconButton.tsx';
import { Tooltip } from '../components/Tooltip.tsx';
import { AlertsBell } from '../features/alerts/AlertsBell.tsx';
import { useIsShared, usePeoplePage } from '../lib/account.ts';
import { useHashPath } from '../lib/location.ts';
import { toggleTheme } from '../lib/preferences.ts';
import { routes } from '../lib/routes.ts';
import { useLiveTasks } from '../lib/tasks.ts';
import { useOperation } from '../lib/use-operation.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { HelpMenu } from './HelpMenu.tsx';
import styles from './Rail.module.css';

/** Navigation between the main screens. */
export function Rail({ onShortcuts }: { onShortcuts(): void }) {
  const { t } = useTranslation();
  const [path] = useHashPath();
  const live = useLiveTasks().length;
  const people = usePeoplePage();
  const isShared = useIsShared();
  return (
    <nav className={styles.rail} aria-label={t('nav.label')}>
      <RailLink
        to={routes.inventory()}
        label={t('nav.datasets')}
        current={path === '/' || path.startsWith('/dataset/')}
        icon={<Glyph />}
      />
      <RailLink
        to={routes.tasks()}
        label={t('nav.tasks')}
        detail={live > 0 ? t('nav.live', { count: live }) : undefined}
        current={path === '/tasks'}
        icon={<ListChecks size={20} strokeWidth={1.5} />}
      />
      <RailLink
        to={routes.models()}
        label={t('nav.models')}
        current={path === '/models'}
        icon={<Boxes size={20} strokeWidth={1.5} />}
      />
      {isShared && <AssignedLink current={path === '/assigned'} />}
      {people !== undefined && (
        <RailLink
          to={people}
          label={t('nav.people')}
          current={path === '/users' || path === '/members'}
          icon={<Users size={20} strokeWidth={1.5} />}
        />
      )}
      <div className={styles.space} />
      <AlertsBell className={styles.link ?? ''} />
      <HelpMenu onShortcuts={onShortcuts} />
      <IconButton
        side="right"
        className={styles.link ?? ''}
        label={t('nav.theme')}
        icon={<SunMoon size={20} strokeWidth={1.5} />}
        onClick={toggleTheme}
        data-testid="toggle-theme"
      />
      <AccountMenu />
      <RailLink
        to={routes.settings()}
        label={t('nav.settings')}
        current={path === '/settings' || path === '/api' || path === '/audit'}
        icon={<Settings size={20} strokeWidth={1.5} />}
      />
    </nav>
  );
}

/** The items that are assigned to the user. */
function AssignedLink({ current }: { current: boolean }) {
  const { t } = useTranslation();
  const { data } = useOperation('list_assignments', {}, { staleTime: 60_000 });
  const open = data?.filter(({ is_own, done_at }) => is_own && done_at === null).length ?? 0;
  return (
    <RailLink
      to={routes.assigned()}
      label={t('assigned.title')}
      detail={open > 0 ? t('assigned.open', { count: open }) : undefined}
      current={current}
      icon={<UserCheck size={20} strokeWidth={1.5} />}
    />
  );
}

interface RailLinkProps {
  to: string;
  label: string;
  detail?: string | undefined;
  current: boolean;
  icon: ReactNode;
}

function RailLink({ to, label, detail, current, icon }: RailLinkProps) {
  const text = detail === undefined ? label : `${label}, ${detail}`;
  return (
    <Tooltip text={text} side="right">
      <a
        className={styles.link}
        href={useHashPath.hrefs(to)}
        aria-label={text}
        aria-current={current ? 'page' : undefined}
      >
        {icon}
        {detail !== undefined && <span className={styles.dot} aria-hidden="true" />}
      </a>
    </Tooltip>
  );
}
