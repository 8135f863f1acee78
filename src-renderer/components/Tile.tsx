import { ScanSearch } from 'lucide-react';
import { type DragEvent, type MouseEvent, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { formatScore } from '../lib/format.ts';
import { linkTo } from '../lib/routes.ts';
import { NearTile } from './near-tile.ts';
import { Strength } from './Strength.tsx';
import styles from './Tile.module.css';

/** Room under the image of a tile for one line of words. */
export const TILE_CAPTION_PX = 20;

/** What a tile leads to, as a link: it opens in another tab, its address can be copied, and an original can be dragged to other programs. */
export interface TileLink {
  /** Address within the app. */
  to: string;
  /** Of one item: its file. */
  original?: { uri: string; name: string } | undefined;
}

interface TileProps {
  link?: TileLink | undefined;
  /** The image, and what lies over it. */
  children: ReactNode;
  title?: string | undefined;
  /** How many it holds. */
  size?: string | undefined;
  /** One word on what it shows. */
  word?: string | undefined;
  /** How far it is from what was searched; null where nothing was. */
  score: number | null;
  /** It was searched by words: their distance is told as a strength. */
  graded?: boolean;
  onSimilar?: (() => void) | undefined;
}

/** One square of a grid: an image, what can be done with it on hover, and a line below where there is something to say. */
export function Tile({ link, children, title, size, word, score, graded = false, onSimilar }: TileProps) {
  const said = size !== undefined || word !== undefined || score !== null;
  return (
    <>
      <div className={styles.image} title={title}>
        {children}
        {link !== undefined && (
          // biome-ignore lint/a11y/useAnchorContent: the cell around it has the words
          <a
            className={styles.link}
            href={linkTo(link.to)}
            tabIndex={-1}
            aria-hidden="true"
            onClick={keepInPlace}
            onDragStart={(event) => carryOriginal(event, link)}
          />
        )}
        {onSimilar !== undefined && (
          <WhenNear>
            <FindSimilar onAct={onSimilar} />
          </WhenNear>
        )}
      </div>
      {said && (
        <div className={styles.caption} title={title}>
          {size !== undefined && <span data-testid="cluster-size">{size}</span>}
          {word !== undefined && (
            <span className={styles.word} data-testid="tile-label">
              {word}
            </span>
          )}
          {score !== null && (graded ? <Strength score={score} /> : <Score score={score} />)}
        </div>
      )}
    </>
  );
}

/** A plain click is the grid's, which knows where the tile stands; Ctrl-click and the middle button are the browser's. */
function keepInPlace(event: MouseEvent): void {
  if (!event.ctrlKey && !event.metaKey) event.preventDefault();
}

function carryOriginal(event: DragEvent, { original }: TileLink): void {
  // With Shift a frame is drawn around tiles instead.
  if (event.shiftKey) event.preventDefault();
  if (original === undefined) return;
  const uri = new URL(original.uri, window.location.href).href;
  event.dataTransfer.effectAllowed = 'copyLink';
  event.dataTransfer.setData('text/uri-list', uri);
  event.dataTransfer.setData('DownloadURL', `application/octet-stream:${original.name}:${uri}`);
}

function Score({ score }: { score: number }) {
  const { t } = useTranslation();
  const text = formatScore(score);
  return (
    <span className={styles.score} title={t('explore.score', { score: text })} data-testid="score">
      {text}
    </span>
  );
}

function WhenNear({ children }: { children: ReactNode }) {
  return useContext(NearTile) && children;
}

/** Find similar, on hover or focus of the tile. The S key of the grid does the same, so it is no tab stop of its own. */
function FindSimilar({ onAct }: { onAct(): void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={styles.action}
      tabIndex={-1}
      aria-label={t('explore.findSimilar')}
      title={`${t('explore.findSimilar')} (S)`}
      data-testid="find-similar"
      onClick={(event) => {
        event.stopPropagation();
        onAct();
      }}
    >
      <ScanSearch size={14} />
    </button>
  );
}
