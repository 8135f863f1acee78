import { Scan } from 'lucide-react';
import {
  type CSSProperties,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { FIT, MIN_SCALE, type View, type Zoom, zoomAt } from '../lib/zoom.ts';
import { IconButton } from './IconButton.tsx';
import { ImageView } from './ImageView.tsx';
import { ZoomTools } from './ZoomTools.tsx';
import styles from './ZoomView.module.css';

const STEP = 1.5;
/** From so many screen pixels for one of the image, its pixels are shown as they are. */
const PIXELATED_SCALE = 2;

/** Where the image lies in the stage, so that lines over it stay as thin as they are however far it is zoomed. */
function placeOf(view: View, widthPx: number, heightPx: number): CSSProperties {
  return {
    left: `calc(50% + ${view.x - widthPx / 2}px)`,
    top: `calc(50% + ${view.y - heightPx / 2}px)`,
    width: widthPx,
    height: heightPx,
  };
}

/** Movement from which on a press is a drag, not a click on what lies over the image. */
const DRAG_PX = 4;

interface ZoomViewProps {
  image: Image | undefined;
  /** Shown until the image is known. */
  thumbUri: string;
  /** Images that share it move and zoom together, each by its own size in its stage. */
  zoom: Zoom;
  /** Whether it hears the keys; of several that share a zoom, one does. */
  hasKeys?: boolean;
  /** What lies over the image, given where that is now. */
  over?(place: CSSProperties): ReactNode;
}

/** The image on its ground: wheel, + and − zoom, dragging moves, 0 and double click fit it again, 1 shows pixel for pixel. */
export function ZoomView({ image, thumbUri, zoom, hasKeys = true, over }: ZoomViewProps) {
  const { t } = useTranslation();
  const stage = useRef<HTMLDivElement>(null);
  const { view, setView } = zoom;
  const [room, setRoom] = useState<{ width: number; height: number } | null>(null);
  const drag = useRef<{ x: number; y: number; startX: number; startY: number } | null>(null);
  const zoomBy = (factor: number) => setView((old) => zoomAt(old, factor, 0, 0));

  const zoomTo = useEffectEvent((factor: number, x: number, y: number) => setView((old) => zoomAt(old, factor, x, y)));
  useEffect(() => {
    const element = stage.current;
    if (element === null) return;
    // Not through React: its wheel listeners are passive and could not keep the page from zooming.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const x = event.clientX - box.left - box.width / 2;
      const y = event.clientY - box.top - box.height / 2;
      zoomTo(Math.exp(-event.deltaY / 300), x, y);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  const { width = 0, height = 0 } = image ?? {};
  useEffect(() => {
    const element = stage.current?.firstElementChild;
    if (element === undefined || element === null || width === 0 || height === 0) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setRoom({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [width, height]);

  const fitScale = room === null || width === 0 ? null : Math.min(room.width / width, room.height / height);

  // Screens may have several pixels for one of CSS.
  const pixelScale = fitScale === null ? null : view.scale * fitScale * window.devicePixelRatio;
  const showPixels = () => {
    if (pixelScale !== null) setView((old) => ({ scale: old.scale / pixelScale, x: 0, y: 0 }));
  };
  useShortcut('1', showPixels, hasKeys);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || view.scale === MIN_SCALE) return;
    const { clientX, clientY } = event;
    drag.current = { x: clientX - view.x, y: clientY - view.y, startX: clientX, startY: clientY };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const from = drag.current;
    if (from === null) return;
    // Captured only once it is a drag: a captured press would never be a click on a box.
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) {
      if (Math.hypot(event.clientX - from.startX, event.clientY - from.startY) < DRAG_PX) return;
      event.currentTarget.setPointerCapture(event.pointerId);
    }
    setView((old) => ({ ...old, x: event.clientX - from.x, y: event.clientY - from.y }));
  };
  const onPointerUp = () => {
    drag.current = null;
  };

  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: zooming has its keys and buttons; this is the same by pointer */}
      <div
        ref={stage}
        className={styles.stage}
        data-zoomed={view.scale > MIN_SCALE}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onDoubleClick={() => setView((old) => (old.scale > MIN_SCALE ? FIT : zoomAt(old, 3, 0, 0)))}
      >
        <div
          className={styles.moved}
          data-pixelated={pixelScale !== null && pixelScale > PIXELATED_SCALE}
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        >
          {image !== undefined ? (
            <ImageView
              fileName={image.file_name}
              format={image.format}
              originalUri={image.original_uri}
              thumbUri={image.media_thumb_uri}
              widthPx={image.width}
              heightPx={image.height}
            />
          ) : (
            thumbUri !== '' && <img className={styles.early} src={thumbUri} alt="" />
          )}
        </div>
        {fitScale !== null && over?.(placeOf(view, width * fitScale * view.scale, height * fitScale * view.scale))}
      </div>
      <ZoomTools
        step={STEP}
        zoomBy={zoomBy}
        fitLabel={t('zoom.toWindow')}
        onFit={() => setView(FIT)}
        hasKeys={hasKeys}
        quiet
        scale={
          <span className={styles.scale} title={t('zoom.level')} data-testid="zoom-scale">
            {pixelScale === null ? '' : `${Math.round(pixelScale * 100)}%`}
          </span>
        }
        after={
          <IconButton side="top" label={t('zoom.pixels')} shortcut="1" icon={<Scan size={16} />} onClick={showPixels} />
        }
      />
    </div>
  );
}
