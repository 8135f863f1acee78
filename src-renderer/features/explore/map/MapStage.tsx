import { Lasso, SquareDashed } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MapView } from '../../../../src-main/contract/schemas/map.ts';
import { IconButton } from '../../../components/IconButton.tsx';
import { ZoomTools } from '../../../components/ZoomTools.tsx';
import { api } from '../../../lib/api.ts';
import { routeOfItem } from '../../../lib/item-routes.ts';
import { navigate } from '../../../lib/location.ts';
import type { Place } from '../../../lib/routes.ts';
import { useShortcut } from '../../../lib/use-shortcut.ts';
import { AreaBar } from './AreaBar.tsx';
import { MapArea } from './MapArea.tsx';
import { MapHover } from './MapHover.tsx';
import styles from './MapLayout.module.css';
import { MapLegend } from './MapLegend.tsx';
import { MapMarks } from './MapMarks.tsx';
import { MapNames } from './MapNames.tsx';
import { MapThumbnails } from './MapThumbnails.tsx';
import { decodeMarks, nearestMark } from './map-marks.ts';
import { usePalette } from './map-palette.ts';
import { useArea } from './use-area.ts';
import { useLit } from './use-lit.ts';
import { mapQueryOf, useMap } from './use-map.ts';
import { type AreaTool, useMapLasso } from './use-map-lasso.ts';
import { middleOf, seenWindow, useMapWindow, WHOLE } from './use-map-window.ts';
import { useSettled } from './use-settled.ts';
import { useSize } from './use-size.ts';

const ZOOM_STEP = 1.6;
const MOVE_STEP = 0.2;
/** Maximum distance of the pointer from a mark, in pixels. */
const REACH_PX = 10;
/** Smaller windows are fetched on their own: positions of the whole map are too coarse for them. */
const FINE_SIDE = 0.05;

interface MapStageProps {
  datasetId: string;
  place: Place;
  mapId: string;
  /** The whole map. */
  whole: MapView;
}

/** The map: marks on a canvas, and over it thumbnails, the hovered item, the drawn area and the legend. */
export function MapStage({ datasetId, place, mapId, whole }: MapStageProps) {
  const { t } = useTranslation();
  const stage = useRef<HTMLDivElement>(null);
  const size = useSize(stage);
  const [tool, setTool] = useState<AreaTool | undefined>(undefined);
  const toggleTool = (requested: AreaTool) => setTool(tool === requested ? undefined : requested);
  const [pointed, setPointed] = useState<{ x: number; y: number } | undefined>(undefined);
  const view = useMapWindow(`${datasetId} ${mapId}`, stage, size, tool !== undefined);
  const { frame, window, placeOf } = view;
  const area = useArea(datasetId, mapId, place);
  const lasso = useMapLasso({ tool, scale: frame.scale, placeOf, onDraw: area.choose });

  const settled = useSettled(window);
  const isPart = whole.marks === 'cells' || settled.side < FINE_SIDE;
  const seen = isPart ? seenWindow(frame, settled) : undefined;
  const { data: part } = useMap(datasetId, place, seen ?? WHOLE, seen !== undefined);
  const shown = (seen && part) ?? whole;
  const marks = useMemo(() => decodeMarks(shown), [shown]);
  const isRanges = shown.legend.some(({ from }) => from !== null) || place.map === 'quality';
  const palette = usePalette(isRanges ? shown.legend.length : 0);
  const lit = useLit(datasetId, mapQueryOf(datasetId, place).entity_type);

  useShortcut('d', () => toggleTool('lasso'));
  useShortcut('q', () => toggleTool('rectangle'));

  /** Opens the item of the nearest mark. */
  const open = async (at: { x: number; y: number }) => {
    const mark = nearestMark(marks, at.x, at.y, REACH_PX / frame.scale + marks.cellSide);
    if (mark < 0) return;
    const side = (2 * REACH_PX) / frame.scale + marks.cellSide;
    const [x, y] = [(marks.places[mark * 2] as number) - side / 2, (marks.places[mark * 2 + 1] as number) - side / 2];
    const { items } = await api.list_map_items({ ...mapQueryOf(datasetId, place), x, y, side, limit: 1 });
    if (items[0] !== undefined) navigate(routeOfItem(datasetId, items[0], place));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== stage.current) return;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => view.moveBy(-MOVE_STEP, 0),
      ArrowRight: () => view.moveBy(MOVE_STEP, 0),
      ArrowUp: () => view.moveBy(0, -MOVE_STEP),
      ArrowDown: () => view.moveBy(0, MOVE_STEP),
      Enter: () => void open(middleOf(window)),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };

  const wasDrawn = useRef(false);
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    wasDrawn.current = false;
    if (lasso.starts(event)) lasso.onPointerDown(event);
    else view.onPointerDown(event);
  };
  const onPointerUp = () => {
    if (lasso.drawn !== undefined) wasDrawn.current = lasso.onPointerUp();
    else view.onPointerUp();
  };
  const isBusy = view.isDragging || lasso.drawn !== undefined;
  return (
    <section className={styles.frame} aria-label={t('map.title')}>
      <div
        ref={stage}
        className={styles.stage}
        role="application"
        aria-label={t('map.describe', { count: whole.placed_items })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it hears arrows and Enter
        tabIndex={0}
        data-testid="map"
        data-tool={tool !== undefined}
        data-marks={marks.n}
        data-kind={shown.marks}
        data-dragging={view.isDragging}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={(event) => {
          setPointed(event.pointerType === 'touch' ? undefined : placeOf(event));
          if (lasso.drawn !== undefined) lasso.onPointerMove(event);
          else view.onPointerMove(event);
        }}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onPointerLeave={() => setPointed(undefined)}
        onClick={(event) => {
          if (!view.isDragging && !wasDrawn.current && !(event.target as Element).closest('a'))
            void open(placeOf(event));
        }}
        onDoubleClick={view.fit}
      >
        <MapMarks marks={marks} frame={frame} palette={palette} lit={lit} />
        <MapNames place={place} view={shown} frame={frame} />
        <MapThumbnails
          datasetId={datasetId}
          place={place}
          frame={frame}
          window={settled}
          marks={marks}
          palette={palette}
          isAll={shown === whole}
        />
        <MapArea frame={frame} area={lasso.drawn ?? area.shown} isOpen={lasso.drawn !== undefined} />
        <span className={styles.middle} aria-hidden="true" />
        {!isBusy && (
          <MapHover
            datasetId={datasetId}
            place={place}
            frame={frame}
            marks={marks}
            pointed={pointed}
            reachPx={REACH_PX}
          />
        )}
      </div>
      <MapLegend datasetId={datasetId} place={place} view={shown} palette={palette} />
      <AreaBar area={area} />
      <ZoomTools
        step={ZOOM_STEP}
        zoomBy={view.zoomBy}
        fitLabel={t('map.fit')}
        onFit={view.fit}
        before={
          <>
            <IconButton
              side="top"
              label={t('map.lasso')}
              shortcut="D"
              pressed={tool === 'lasso'}
              icon={<Lasso size={16} />}
              onClick={() => toggleTool('lasso')}
              data-testid="map-lasso"
            />
            <IconButton
              side="top"
              label={t('map.rectangle')}
              shortcut="Q"
              pressed={tool === 'rectangle'}
              icon={<SquareDashed size={16} />}
              onClick={() => toggleTool('rectangle')}
              data-testid="map-rectangle"
            />
          </>
        }
      />
    </section>
  );
}
