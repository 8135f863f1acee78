import { ScanSearch } from 'lucide-react';
import { type DragEvent, type MouseEvent, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { formatScore } from '../lib/format.ts';
import { linkTo } from '../lib/routes.ts';
import { NearTile } from './near-tile.ts';
import { Strength } from './Strength.tsx';
import styles from './Tile.module.css';

/** Height of one line of text below the image. */
export const TILE_CAPTION_PX = 20;

/** Link of a tile: can be opened in a new tab or copied, and the original can be dragged to other programs. */
export interface TileLink {
  /** Address within the app. */
  to: string;
  /** Original file of a single item. */
  original?: { uri: string; name: string } | undefined;
}

interface TileProps {
  link?: TileLink | undefined;
  /** The image and its overlays. */
  children: ReactNode;
  title?: string | undefined;
  /** Number of items in the tile. */
  size?: string | undefined;
  /** One word on the content. */
  word?: string | undefined;
  /** Short fact after the word, such as a confidence. */
  note?: string | undefined;
  /** Distance to the query. null without a query. */
  score: number | null;
  /** Shows the distance as a match strength, as for searches by text. */
  graded?: boolean;
  onSimilar?: (() => void) | undefined;
  /** Starts editing the word, on a click on it. */
  onRename?: (() => void) | undefined;
}

/** One square of a grid: an image, actions on hover, and an optional line below. */
export function Tile({
  link,
  children,
  title,
  size,
  word,
  note,
  score,
  graded = false,
  onSimilar,
  onRename,
}: TileProps) {
  const hasCaption = size !== undefined || word !== undefined || note !== undefined || score !== null;
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
      {hasCaption && (
        <div className={styles.caption} title={title}>
          {size !== undefined && <span data-testid="cluster-size">{size}</span>}
          {word !== undefined && onRename === undefined && (
            <span className={styles.word} data-testid="tile-label">
              {word}
            </span>
          )}
          {note !== undefined && (
            <span className={styles.score} data-testid="tile-note">
              {note}
            </span>
          )}
          {onRename !== undefined && <Renamable word={word} onRename={onRename} />}
          {score !== null && (graded ? <Strength score={score} /> : <Score score={score} />)}
        </div>
      )}
    </>
  );
}

/** The grid handles plain clicks, since it knows the tile's index. The browser handles Ctrl-click and middle click. */
function keepInPlace(event: MouseEvent): void {
  if (!event.ctrlKey && !event.metaKey) event.preventDefault();
}

function carryOriginal(event: DragEvent, { original }: TileLink): void {
  // Shift and drag draws a selection frame instead.
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

/** A word that a click edits. Not a tab stop, since the grid's key F2 does the same. */
function Renamable({ word, onRename }: { word: string | undefined; onRename(): void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={word === undefined ? styles.unnamed : styles.renamable}
      tabIndex={-1}
      title={`${t('explore.rename')} (F2)`}
      data-testid="tile-label"
      onClick={(event) => {
        event.stopPropagation();
        onRename();
      }}
    >
      {word ?? t('explore.rename')}
    </button>
  );
}

/** Find similar, on hover or focus. Not a tab stop, since the grid's key S does the same. */
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
