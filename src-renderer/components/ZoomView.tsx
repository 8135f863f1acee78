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
/** Zoom from which image pixels are shown without smoothing, in screen pixels per image pixel. */
const PIXELATED_SCALE = 2;

/** Position of the image in the stage, so that overlays keep their line width at every zoom. */
function placeOf(view: View, widthPx: number, heightPx: number): CSSProperties {
  return {
    left: `calc(50% + ${view.x - widthPx / 2}px)`,
    top: `calc(50% + ${view.y - heightPx / 2}px)`,
    width: widthPx,
    height: heightPx,
  };
}

/** Movement in pixels from which a press counts as a drag rather than a click. */
const DRAG_PX = 4;

interface ZoomViewProps {
  image: Image | undefined;
  /** Shown until the size of the image is known. */
  thumbUri: string;
  /** Zoom state. Images that share it move and zoom together, each by its own size. */
  zoom: Zoom;
  /** Whether this view handles keys. Of several views that share a zoom, one does. */
  hasKeys?: boolean;
  /** Renders the overlay for the current position of the image. */
  over?(place: CSSProperties): ReactNode;
}

/** A zoomable image: wheel, + and − zoom, dragging moves, 0 and double click fit, 1 shows the actual size. */
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
    // Added to the element directly: React's wheel listeners are passive and cannot prevent the page from zooming.
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

  // A CSS pixel may be several screen pixels.
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
    // The pointer is captured only when a drag starts: a captured press never becomes a click on a box.
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
          <IconButton
            side="top"
            label={t('zoom.pixels')}
            shortcut="1"
            icon={
              <span className={styles.pixels} aria-hidden="true">
                1:1
              </span>
            }
            onClick={showPixels}
          />
        }
      />
    </div>
  );
}
