import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './Button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  icon?: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ kind = 'plain', icon, children, className, ...rest }: ButtonProps) {
  return (
    <button type="button" className={`${styles.button} ${styles[kind]} ${className ?? ''}`} {...rest}>
      {icon}
      {children !== undefined && <span className={styles.label}>{children}</span>}
    </button>
  );
}
