import { type ReactNode, useEffect, useRef } from 'react';
import form from '../../components/Form.module.css';
import { Glyph } from '../../components/Glyph.tsx';
import styles from './SignIn.module.css';

interface SignInPageProps {
  title: string;
  text?: string | undefined;
  /** Why the last attempt failed. */
  error?: string | undefined;
  testId: string;
  children: ReactNode;
}

/** A page with a single form that must be completed first. */
export function SignInPage({ title, text, error, testId, children }: SignInPageProps) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.querySelector('input')?.focus(), []);
  return (
    <main className={styles.page} data-testid={testId}>
      <div ref={card} className={styles.card}>
        <div className={styles.head}>
          <Glyph />
          <h1 className={styles.title}>{title}</h1>
        </div>
        {text !== undefined && <p className={styles.text}>{text}</p>}
        {error !== undefined && (
          <p className={form.error} role="alert">
            {error}
          </p>
        )}
        <div className={styles.body}>{children}</div>
      </div>
    </main>
  );
}
