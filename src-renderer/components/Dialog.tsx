import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Dialog.module.css';
import { IconButton } from './IconButton.tsx';
import { useReturnFocus } from './use-return-focus.ts';

interface DialogProps {
  open: boolean;
  onClose(): void;
  title: string;
  /** Hides the title visually but keeps it for screen readers. */
  bare?: boolean;
  width?: number;
  children: ReactNode;
  testId?: string;
}

export function Dialog({ open, onClose, title, bare = false, width = 520, children, testId }: DialogProps) {
  const { t } = useTranslation();
  const focus = useReturnFocus();
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={styles.scrim} />
        <Primitive.Content
          className={styles.dialog}
          style={{ width }}
          aria-describedby={undefined}
          {...focus}
          data-testid={testId}
        >
          {bare ? (
            <Primitive.Title className="visually-hidden">{title}</Primitive.Title>
          ) : (
            <header className={styles.header}>
              <Primitive.Title className={styles.title} title={title}>
                {title}
              </Primitive.Title>
              <IconButton label={t('common.close')} icon={<X size={16} />} onClick={onClose} />
            </header>
          )}
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
