import { Skeleton } from '../../components/Skeleton.tsx';
import styles from './InventoryPage.module.css';

const CARDS = [...Array(8).keys()];

export function CardSkeletons() {
  return (
    <div className={styles.cards} aria-busy="true">
      {CARDS.map((card) => (
        <div key={card}>
          <Skeleton style={{ aspectRatio: '3 / 2' }} />
          <Skeleton style={{ width: '60%', height: 14, marginTop: 12 }} />
        </div>
      ))}
    </div>
  );
}
