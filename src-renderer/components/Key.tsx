import styles from './Key.module.css';

/** A key cap. */
export function Key({ name }: { name: string }) {
  return <kbd className={styles.key}>{name}</kbd>;
}
