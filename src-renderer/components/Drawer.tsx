import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import frame from './Dialog.module.css';
import styles from './Drawer.module.css';
import { IconButton } from './IconButton.tsx';
import { useReturnFocus } from './use-return-focus.ts';

interface DrawerProps {
  onClose(): void;
  title: string;
  /** The subject of the panel, such as a dataset. */
  subject?: string | undefined;
  /** Actions for the whole panel. */
  actions?: ReactNode;
  testId: string;
  children: ReactNode;
}

/** A panel over the right edge of any page. */
export function Drawer({ onClose, title, subject, actions, testId, children }: DrawerProps) {
  const { t } = useTranslation();
  const focus = useReturnFocus();
  return (
    <Primitive.Root open onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={frame.scrim} />
        <Primitive.Content className={styles.drawer} aria-describedby={undefined} {...focus} data-testid={testId}>
          <header className={styles.header}>
            <Primitive.Title className={styles.title}>{title}</Primitive.Title>
            <span className={styles.subject} title={subject}>
              {subject}
            </span>
            {actions}
            <IconButton label={t('common.close')} icon={<X size={16} />} onClick={onClose} />
          </header>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
