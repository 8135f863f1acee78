import type { ReactNode } from 'react';
import styles from './Banner.module.css';

interface BannerProps {
  icon: ReactNode;
  text: string;
  /** `alert` is for what keeps one from going on; it is read out at once. */
  role: 'alert' | 'status';
  testId: string;
  /** What can be done about it. */
  children: ReactNode;
}

/** One line over a screen that concerns the whole app. */
export function Banner({ icon, text, role, testId, children }: BannerProps) {
  return (
    <div className={styles.banner} role={role} data-testid={testId}>
      <span className={styles[role]}>{icon}</span>
      <span className={styles.text}>{text}</span>
      {children}
    </div>
  );
}
