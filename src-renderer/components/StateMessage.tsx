import type { ReactNode } from 'react';
import styles from './StateMessage.module.css';

interface StateMessageProps {
  icon?: ReactNode;
  title: string;
  text?: string | undefined;
  /** Buttons for what the user can do. */
  actions?: ReactNode;
  tone?: 'plain' | 'bad';
  testId?: string;
  children?: ReactNode;
}

/** A message instead of content: empty, failed or not found. */
export function StateMessage({ icon, title, text, actions, tone = 'plain', testId, children }: StateMessageProps) {
  return (
    <div className={styles.state} role={tone === 'bad' ? 'alert' : undefined} data-testid={testId}>
      {icon !== undefined && <div className={`${styles.icon} ${styles[tone]}`}>{icon}</div>}
      <h2 className={styles.title}>{title}</h2>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {children}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
