import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '../../../src-main/contract/schemas/image.ts';
import outline from '../../components/Outline.module.css';
import { placeOfBox } from '../../lib/boxes.ts';
import { labelColour } from '../../lib/label-colour.ts';
import { useHashPath } from '../../lib/location.ts';
import styles from './Boxes.module.css';
import { isAnnotated } from './compare-boxes.ts';
import type { MarkedObject } from './use-marked-object.ts';
import type { ShownObjects } from './use-shown-objects.ts';

type Objects = Image['objects'];

interface BoxesProps {
  image: Image;
  shown: ShownObjects;
  marking: MarkedObject;
  /** Shows all boxes. Otherwise only the highlighted one. */
  all: boolean;
  /** Current position of the image. */
  style: CSSProperties;
  /** Whether the boxes are tab stops. Not needed when the details list the same objects. */
  focusable: boolean;
}

/** The objects of an image as boxes, each a link to similar objects. Small boxes lie over large ones. */
export function Boxes({ image, shown, marking, all, style, focusable }: BoxesProps) {
  const { t } = useTranslation();
  const { objects, compared } = shown;
  const outlined = all ? bySize(objects) : objects.filter((object) => object.object_id === marking.pointed);
  /** Result of the comparison with annotated objects for one object. */
  const verdictOf = ({ object_id }: Objects[number]) => {
    if (compared?.missed.has(object_id)) return 'missed';
    return compared?.extra.has(object_id) ? 'extra' : undefined;
  };
  const wordsOf = (object: Objects[number]) => {
    const verdict = verdictOf(object);
    const { label, confidence } = object;
    const sure = compared && confidence !== null && t('item.percent', { percent: Math.round(confidence * 100) });
    return [label, sure, verdict && t(`item.verdict.${verdict}`)].filter(Boolean).join(' · ');
  };
  return (
    <ul
      className={styles.boxes}
      style={style}
      aria-label={t('item.objects')}
      data-marked={marking.marked !== undefined}
    >
      {outlined.map((object) => (
        <li key={object.object_id}>
          <a
            className={`${outline.outline} ${styles.box}`}
            style={{ ...placeOfBox(object.bounding_box, image.width, image.height), ...labelColour(object.label) }}
            href={useHashPath.hrefs(marking.similar(object.object_id))}
            aria-label={t('item.similarTo', { label: wordsOf(object) })}
            aria-current={object.object_id === marking.marked}
            tabIndex={focusable ? undefined : -1}
            draggable={false}
            {...marking.pointing(object.object_id)}
            data-predicted={compared !== undefined && !isAnnotated(object)}
            data-verdict={verdictOf(object)}
            data-testid="object-box"
          >
            <span className={styles.label}>{wordsOf(object)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function bySize(objects: Objects): Objects {
  const area = ({ bounding_box: { width, height } }: Objects[number]) => width * height;
  return objects.toSorted((a, b) => area(b) - area(a));
}
