import type { ReactNode } from 'react';
import styles from './Banner.module.css';

interface BannerProps {
  icon: ReactNode;
  text: string;
  /** `alert` for problems that block the user. Screen readers announce it at once. */
  role: 'alert' | 'status';
  testId: string;
  /** Actions that resolve the problem. */
  children: ReactNode;
}

/** A one-line banner above a screen, for messages about the whole app. */
export function Banner({ icon, text, role, testId, children }: BannerProps) {
  return (
    <div className={styles.banner} role={role} data-testid={testId}>
      <span className={styles[role]}>{icon}</span>
      <span className={styles.text}>{text}</span>
      {children}
    </div>
  );
}
