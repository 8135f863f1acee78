import styles from './DataPage.module.css';

/** A path in one line whose end stays visible. */
export function PathText({ path }: { path: string }) {
  return (
    <p className={styles.path} title={path}>
      <bdi>{path}</bdi>
    </p>
  );
}
