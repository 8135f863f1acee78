import outline from '../../components/Outline.module.css';
import { ZoomView } from '../../components/ZoomView.tsx';
import { placeOfBox } from '../../lib/boxes.ts';
import { labelColour } from '../../lib/label-colour.ts';
import type { ReviewEntry } from '../../lib/review.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useZoom } from '../../lib/zoom.ts';
import styles from './ReviewPage.module.css';

/** The image of an entry, as large as fits; with the box of an object. */
export function ItemStage({ datasetId, item }: { datasetId: string; item: ReviewEntry['item'] }) {
  const { data: image } = useOperation('get_dataset_image', { dataset_id: datasetId, image_id: item.image_id });
  const zoom = useZoom(item.media_id);
  const box = item.bounding_box;
  return (
    <div className={styles.stage}>
      <ZoomView
        image={image}
        thumbUri={item.type === 'OBJECT' ? '' : item.media_thumb_uri}
        zoom={zoom}
        over={(place) =>
          box !== null && (
            <div className={styles.over} style={place}>
              <span
                className={outline.outline}
                style={{ ...placeOfBox(box, item.width, item.height), ...labelColour(item.labels?.[0] ?? '') }}
              />
            </div>
          )
        }
      />
    </div>
  );
}
