import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DuplicateGroup, DuplicateItem } from '../../../src-main/contract/schemas/duplicates.ts';
import { Button } from '../../components/Button.tsx';
import { Offered } from '../../components/Offered.tsx';
import { Thumb } from '../../components/Thumb.tsx';
import { formatBytes } from '../../lib/format.ts';
import { useHashPath } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import styles from './GroupRow.module.css';

interface GroupRowProps {
  datasetId: string;
  group: DuplicateGroup;
  /** Media id of the copy to keep. */
  keptId: string;
  /** Whether keys act on this group. */
  isCurrent: boolean;
  onCurrent(): void;
  onKeep(mediaId: string): void;
  onExcludeOthers(): void;
}

/** Copies of one image side by side: the copy to keep with its reason, and a button that excludes the others. */
export function GroupRow({ datasetId, group, keptId, isCurrent, onCurrent, onKeep, onExcludeOthers }: GroupRowProps) {
  const { t } = useTranslation();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const why = keptId === group.keep_media_id ? t(`duplicates.why.${group.keep_reason}`) : t('duplicates.why.chosen');
  const more = group.n_items - group.items.length;
  return (
    <li ref={row} className={styles.group} aria-current={isCurrent} data-testid="duplicate-group" onFocus={onCurrent}>
      <div className={styles.copies} role="radiogroup" aria-label={t('duplicates.keep')}>
        {group.items.map((item) => (
          <Copy
            key={item.media_id}
            datasetId={datasetId}
            item={item}
            why={item.media_id === keptId ? why : undefined}
            relation={relationOf(item, group, keptId)}
            onKeep={() => {
              onCurrent();
              onKeep(item.media_id);
            }}
          />
        ))}
      </div>
      <div className={styles.actions}>
        {more > 0 && <span className={styles.more}>{t('duplicates.more', { count: more })}</span>}
        <Offered operation="exclude" datasetId={datasetId}>
          <Button title={t('duplicates.excludeHint')} onClick={onExcludeOthers} data-testid="exclude-others">
            {t('duplicates.excludeOthers', { count: group.n_items - 1 })}
          </Button>
        </Offered>
      </div>
    </li>
  );
}

/** Similarity of a copy to another one. */
interface Relation {
  confidence: number;
  /** Name of the other copy if it is not the one that the user keeps. */
  to?: string;
}

/** The server compares copies with the one that it suggests to keep. The user may keep another. */
function relationOf(item: DuplicateItem, { items, keep_media_id }: DuplicateGroup, keptId: string): Relation {
  const kept = items.find(({ media_id }) => media_id === keptId);
  const suggested = items.find(({ media_id }) => media_id === keep_media_id);
  if (!kept || !suggested || kept === suggested || kept.confidence === 1) return { confidence: item.confidence };
  if (item === suggested || item.confidence === 1) return { confidence: kept.confidence };
  return { confidence: item.confidence, to: suggested.file_name };
}

/** @param why Reason to keep it. Set only for the copy to keep. */
function Copy({
  datasetId,
  item,
  why,
  relation,
  onKeep,
}: {
  datasetId: string;
  item: DuplicateItem;
  why: string | undefined;
  relation: Relation;
  onKeep(): void;
}) {
  const { t } = useTranslation();
  const href = useHashPath.hrefs(routes.item(datasetId, item.image_id));
  return (
    <figure className={styles.copy} data-kept={why !== undefined}>
      <a className={styles.image} href={href} title={item.file_path}>
        <Thumb src={item.media_thumb_uri} alt={item.file_name} fit="contain" />
      </a>
      <figcaption className={styles.facts}>
        <label className={styles.choice}>
          <input
            type="radio"
            checked={why !== undefined}
            onChange={onKeep}
            aria-label={t('duplicates.keepThis', { name: item.file_name })}
          />
          <span className={styles.name} title={item.file_path}>
            {item.file_name}
          </span>
        </label>
        <span>
          {t('duplicates.size', { width: item.width, height: item.height })} · {item.format} ·{' '}
          {formatBytes(item.size_bytes)}
        </span>
        <span className={styles.why} data-testid={why === undefined ? undefined : 'kept'}>
          {why === undefined ? <Similarity {...relation} /> : `${t('duplicates.keep')}: ${why}`}
        </span>
      </figcaption>
    </figure>
  );
}

function Similarity({ confidence, to }: Relation) {
  const { t } = useTranslation();
  const percent = Math.floor(confidence * 100);
  if (to !== undefined) return t('duplicates.similarTo', { percent, name: to });
  return percent === 100 ? t('duplicates.identical') : t('duplicates.similarity', { percent });
}
