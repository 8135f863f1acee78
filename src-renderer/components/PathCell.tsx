import styles from './PathCell.module.css';

/** A path that shortens its folder before its file name. */
export function PathCell({ path }: { path: string }) {
  const nameAt = path.lastIndexOf('/') + 1;
  return (
    <span className={styles.path}>
      <span className={styles.folder}>{path.slice(0, nameAt)}</span>
      <span className={styles.name}>{path.slice(nameAt)}</span>
    </span>
  );
}
