import {
  ChevronLeft,
  ChevronRight,
  Crop,
  EyeOff,
  Image as ImageIcon,
  PanelRight,
  Play,
  ScanSearch,
  SquareCheck,
  SquareDashed,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LEAST_LABEL_CONFIDENCE } from '../../../src-main/contract/schemas/image.ts';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Page } from '../../components/Page.tsx';
import { PartPicker } from '../../components/PartPicker.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { ZoomView } from '../../components/ZoomView.tsx';
import { useMayOn } from '../../lib/datasets.ts';
import { formatVideoTime } from '../../lib/format.ts';
import { routeOfItem, routeOfSimilar } from '../../lib/item-routes.ts';
import { navigate } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { routes, usePlace } from '../../lib/routes.ts';
import { useOfferTarget } from '../../lib/selectable.ts';
import { chosenItem, type Shown } from '../../lib/selection.ts';
import { useEdits } from '../../lib/use-edits.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { useVisualSearch } from '../../lib/visual-search.ts';
import { useZoom } from '../../lib/zoom.ts';
import { Boxes } from './Boxes.tsx';
import { Details } from './Details.tsx';
import { Filmstrip } from './Filmstrip.tsx';
import styles from './ItemPage.module.css';
import { useMarkedObject } from './use-marked-object.ts';
import { useNeighbours } from './use-neighbours.ts';
import { useShownObjects } from './use-shown-objects.ts';
import { useToggleSelected } from './use-toggle-selected.ts';
import { VideoView } from './VideoView.tsx';

/** One image on neutral ground, its neighbours below and its details on the right. */
export function ItemPage({ datasetId, imageId }: { datasetId: string; imageId: string }) {
  const { t } = useTranslation();
  const place = usePlace();
  const { detailsOpen, boxesShown, set } = usePreferences();
  const {
    data: image,
    error,
    refetch,
  } = useOperation('get_dataset_image', {
    dataset_id: datasetId,
    image_id: imageId,
    label_confidence: LEAST_LABEL_CONFIDENCE,
  });
  const neighbours = useNeighbours(datasetId, imageId, place, image);
  const { at, total } = neighbours;
  const item: Shown | undefined = image && {
    type: image.video === null ? 'IMAGE' : 'VIDEO_FRAME',
    file_name: image.file_name,
    media_thumb_uri: image.media_thumb_uri,
  };
  const { isSelected, toggle } = useToggleSelected(datasetId, imageId, item);
  useShortcut('p', toggle);
  const isExcluded = image?.excluded ?? false;
  // Also while the item is loading: otherwise the keys would apply to the selection.
  useOfferTarget(() => ({ chosen: chosenItem(imageId, item), isExcluded, isAlone: true }));
  const zoom = useZoom(imageId);
  const marking = useMarkedObject(datasetId, imageId, place);
  const hasObjects = image !== undefined && image.objects.length > 0;
  const shown = useShownObjects(image, place.object);
  const edits = useEdits(datasetId);
  const mayExclude = useMayOn(datasetId)('exclude');
  // The address names this box, so it is shown regardless of the preferences.
  useEffect(() => {
    if (place.object !== undefined) set({ boxesShown: true });
  }, [place.object, set]);

  const goTo = (index: number) => {
    const next = neighbours.item(index);
    if (next === undefined) return;
    navigate(routeOfItem(datasetId, next, { ...place, cluster: neighbours.clusterId, at: index }), { replace: true });
  };
  const findSimilar = () => {
    if (image === undefined) return;
    const type = image.video === null ? 'IMAGE' : 'VIDEO_FRAME';
    const { object } = place;
    navigate(object === undefined ? routeOfSimilar(datasetId, { ...image, type }, place) : marking.similar(object));
  };
  useShortcut('ArrowLeft', () => goTo(at - 1));
  useShortcut('ArrowRight', () => goTo(at + 1));
  // Stays on from frame to frame: the arrows then step through the frames of the video.
  const [playing, setPlaying] = useState(place.type === 'VIDEOS');
  const video = image?.video ?? null;
  useShortcut('v', () => setPlaying(!playing), video !== null);
  useShortcut('i', () => set({ detailsOpen: !detailsOpen }));
  useShortcut('s', findSimilar);
  useShortcut('b', () => set({ boxesShown: !boxesShown }), hasObjects);
  const [cropping, setCropping] = useState(false);
  const { reading, failure, byPart } = useVisualSearch();
  useShortcut('c', () => setCropping(!cropping), !playing);
  const leaveOut = () => (isExcluded ? edits.include : edits.exclude)([chosenItem(imageId).part]);

  const similarText = place.object === undefined ? t('explore.findSimilar') : t('item.findSimilarObjects');
  const known = neighbours.item(at);
  const name =
    video === null
      ? (image?.file_name ?? (known?.image_id === imageId ? known.file_name : ''))
      : t('item.frameTitle', {
          video: video.video_name.slice(video.video_name.lastIndexOf('/') + 1),
          time: formatVideoTime(video.frame_timestamp),
        });
  const bar = (
    <Bar
      title={name}
      back={parentOf(datasetId, place)}
      facts={
        at >= 0 && (
          <span className={styles.position}>
            <IconButton
              label={t('item.previous')}
              shortcut="←"
              icon={<ChevronLeft size={16} />}
              disabled={at <= 0}
              onClick={() => goTo(at - 1)}
            />
            <span className={styles.number}>{t('item.position', { at: at + 1, total })}</span>
            <IconButton
              label={t('item.next')}
              shortcut="→"
              icon={<ChevronRight size={16} />}
              disabled={at >= total - 1}
              onClick={() => goTo(at + 1)}
            />
          </span>
        )
      }
    >
      {video !== null && (
        <Button
          icon={playing ? <ImageIcon size={16} /> : <Play size={16} />}
          className={styles.action}
          title={`${playing ? t('item.showFrame') : t('item.playVideo')} (V)`}
          onClick={() => setPlaying(!playing)}
          data-testid="play-video"
        >
          {playing ? t('item.showFrame') : t('item.playVideo')}
        </Button>
      )}
      <Button
        className={styles.action}
        title={`${similarText} (S)`}
        icon={<ScanSearch size={16} />}
        disabled={image === undefined}
        onClick={findSimilar}
        data-testid="find-similar"
      >
        {similarText}
      </Button>
      <IconButton
        label={t('visual.crop')}
        shortcut="C"
        icon={<Crop size={16} />}
        pressed={cropping}
        disabled={image === undefined || playing}
        onClick={() => setCropping(!cropping)}
        data-testid="crop"
      />
      {hasObjects && (
        <IconButton
          label={t('item.boxes')}
          shortcut="B"
          icon={<SquareDashed size={16} />}
          pressed={boxesShown}
          onClick={() => set({ boxesShown: !boxesShown })}
          data-testid="toggle-boxes"
        />
      )}
      <IconButton
        label={isSelected ? t('selection.deselect') : t('selection.select')}
        shortcut="P"
        icon={<SquareCheck size={16} />}
        pressed={isSelected}
        onClick={toggle}
        data-testid="select-item"
      />
      {mayExclude && (
        <IconButton
          label={isExcluded ? t('item.restore') : t('item.exclude')}
          shortcut="X"
          icon={<EyeOff size={16} />}
          pressed={isExcluded}
          disabled={image === undefined}
          onClick={leaveOut}
          data-testid="exclude-item"
        />
      )}
      <IconButton
        label={t('item.details')}
        shortcut="I"
        icon={<PanelRight size={16} />}
        pressed={detailsOpen}
        onClick={() => set({ detailsOpen: !detailsOpen })}
      />
    </Bar>
  );
  if (error !== null && image === undefined) {
    return (
      <Page bar={bar}>
        <QueryError error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Page bar={bar}>
      <div className={styles.item} data-testid="item-page">
        <div className={styles.stage}>
          {playing && image !== undefined && video !== null ? (
            <VideoView video={video} posterUri={image.original_uri} ratio={image.width / image.height} />
          ) : (
            <ZoomView
              key={imageId}
              zoom={zoom}
              image={image}
              thumbUri={known?.image_id === imageId && known.type !== 'OBJECT' ? known.media_thumb_uri : ''}
              over={(style) =>
                image !== undefined && cropping ? (
                  <PartPicker
                    style={style}
                    note={
                      reading === datasetId
                        ? t('visual.reading')
                        : (failure?.datasetId === datasetId && failure.error.detail) || t('visual.cropHint')
                    }
                    onPick={(part) => {
                      const type = hasObjects ? 'OBJECTS' : 'IMAGES';
                      void byPart(datasetId, imageId, part, { ...place, type, labels: [], filters: [] });
                    }}
                    onCancel={() => setCropping(false)}
                  />
                ) : (
                  image !== undefined &&
                  hasObjects && (
                    <Boxes
                      image={image}
                      shown={shown}
                      marking={marking}
                      all={boxesShown}
                      style={style}
                      focusable={!detailsOpen}
                    />
                  )
                )
              }
            />
          )}
          <Filmstrip neighbours={neighbours} onOpen={goTo} />
        </div>
        {detailsOpen && <Details image={image} datasetId={datasetId} marking={marking} shown={shown} edits={edits} />}
      </div>
    </Page>
  );
}

/** Address of the previous page: the search, cluster or dataset from which the item was opened. */
function parentOf(datasetId: string, place: ReturnType<typeof usePlace>): string {
  return routes.explore(datasetId, place);
}
