import { Plus, X } from 'lucide-react';
import { type Ref, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Image, LEAST_LABEL_CONFIDENCE } from '../../../src-main/contract/schemas/image.ts';
import { ConfidenceSlider } from '../../components/ConfidenceSlider.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { LabelEditor } from '../../components/LabelEditor.tsx';
import { Thumb } from '../../components/Thumb.tsx';
import { useMayOn } from '../../lib/datasets.ts';
import { labelColour } from '../../lib/label-colour.ts';
import { useHashPath } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { routes, usePlace } from '../../lib/routes.ts';
import { chosenItem } from '../../lib/selection.ts';
import type { Edits } from '../../lib/use-edits.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { Agreement } from './Agreement.tsx';
import styles from './Annotations.module.css';
import { DetailsSection } from './DetailsSection.tsx';
import { Issues } from './Issues.tsx';
import type { MarkedObject } from './use-marked-object.ts';
import type { ShownObjects } from './use-shown-objects.ts';

interface AnnotationsProps {
  image: Image;
  marking: MarkedObject;
  shown: ShownObjects;
  edits: Edits;
}

/** Captions, labels and objects of an image, from annotations, models and users. */
export function Annotations({ image, marking, shown, edits }: AnnotationsProps) {
  const { t } = useTranslation();
  const nameOf = useSourceName(image);
  const { threshold } = usePlace();
  const { caption_details: captions, label_details: allLabels } = image;
  const labelConfidence = usePreferences((state) => state.labelConfidence);
  const labels = allLabels.filter(({ confidence }) => confidence === null || confidence >= labelConfidence);
  const areGuessed = allLabels.some(({ confidence }) => confidence !== null);
  const { objects, compared } = shown;
  const mayEdit = useMayOn(image.dataset_id)('edit_labels');
  const selection = [chosenItem(image.image_id).part];
  const isModels = image.objects.some(({ confidence }) => confidence !== null);
  return (
    <>
      {captions.length > 0 && (
        <DetailsSection
          title={t('item.captions', { count: captions.length })}
          aside={commonSource(captions, nameOf)}
          testId="item-captions"
        >
          <ul className={styles.captions}>
            {captions.map(({ caption, source }) => (
              <li key={`${source} ${caption}`}>
                <p>{caption}</p>
                {!isCommon(captions) && <p className={styles.source}>{nameOf(source)}</p>}
              </li>
            ))}
          </ul>
        </DetailsSection>
      )}
      {(mayEdit || allLabels.length > 0) && (
        <DetailsSection title={t('item.labels')} aside={commonSource(labels, nameOf)} testId="item-labels">
          {areGuessed && <ConfidenceSlider of="labelConfidence" min={LEAST_LABEL_CONFIDENCE} />}
          {labels.length > 0 && (
            <ul>
              {labels.map(({ label, source, confidence }) => (
                <li key={`${source} ${label}`} className={styles.line} style={labelColour(label)}>
                  <a
                    className={styles.label}
                    href={useHashPath.hrefs(routes.explore(image.dataset_id, { threshold, labels: [label] }))}
                    title={t('labels.filterBy', { label })}
                    data-testid="item-label"
                  >
                    {label}
                  </a>
                  <Source source={isCommon(labels) ? '' : nameOf(source)} confidence={confidence} />
                  {mayEdit && (
                    <IconButton
                      label={t('selection.remove', { name: label })}
                      icon={<X size={14} />}
                      onClick={() => edits.label(selection, { remove: [label] })}
                      data-testid="remove-label"
                    />
                  )}
                </li>
              ))}
            </ul>
          )}
          {mayEdit && (
            <div className={styles.add}>
              <LabelEditor
                datasetId={image.dataset_id}
                type="IMAGES"
                icon={<Plus size={14} />}
                onEdit={(change) => edits.label(selection, change)}
              />
            </div>
          )}
        </DetailsSection>
      )}
      {image.objects.length > 0 && (
        <DetailsSection
          title={t('item.objects')}
          count={objects.length}
          aside={commonSource(image.objects, nameOf)}
          testId="item-objects"
        >
          {isModels && <ConfidenceSlider of="minConfidence" />}
          {compared !== undefined && <Agreement models={compared.models} nameOf={nameOf} />}
          <ObjectList image={image} objects={objects} marking={marking} nameOf={nameOf} edits={edits} />
        </DetailsSection>
      )}
    </>
  );
}

interface ObjectListProps {
  image: Image;
  objects: Image['objects'];
  marking: MarkedObject;
  nameOf(source: string): string;
  edits: Edits;
}

function ObjectList({ image, objects, marking, nameOf, edits }: ObjectListProps) {
  const { t } = useTranslation();
  const { marked, similar, pointing } = marking;
  const row = useRef<HTMLLIElement>(null);
  // Scrolls to the row of the object that is hovered on the image.
  useEffect(() => {
    if (marked !== undefined) row.current?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  return (
    <ul className={styles.objects}>
      {objects.map((object) => {
        const { object_id: id, label, caption, confidence } = object;
        const current = id === marked;
        return (
          <li key={id} ref={(current ? row : null) satisfies Ref<HTMLLIElement>}>
            <a
              className={styles.object}
              style={labelColour(label)}
              href={useHashPath.hrefs(similar(id))}
              aria-current={current}
              title={t('item.similarTo', { label })}
              {...pointing(id)}
              data-testid="object-row"
            >
              <Thumb src={object.media_thumb_uri} className={styles.thumb} />
              <span className={styles.about}>
                <span className={styles.line}>
                  <span className={styles.label}>{label}</span>
                  <Source source={isCommon(objects) ? '' : nameOf(object.source)} confidence={confidence} />
                </span>
                {caption !== null && (
                  <span
                    className={styles.caption}
                    title={object.caption_source === null ? undefined : nameOf(object.caption_source)}
                  >
                    {caption}
                  </span>
                )}
              </span>
            </a>
            {object.issues.length > 0 && (
              <div className={styles.issues} data-testid="object-issues">
                <Issues issues={object.issues} of={image} objectId={id} labels={[label]} edits={edits} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

type FromSource = readonly { source: string }[];

/** Whether all entries have the same source, which is then shown once. */
function isCommon(entries: FromSource): boolean {
  return entries.every(({ source }) => source === entries[0]?.source);
}

function commonSource(entries: FromSource, nameOf: (source: string) => string): string | undefined {
  const [first] = entries;
  return first !== undefined && isCommon(entries) ? nameOf(first.source) : undefined;
}

/** Source and confidence of an entry. */
function Source({ source, confidence }: { source: string; confidence: number | null }) {
  const { t } = useTranslation();
  return (
    <>
      <span className={styles.source} title={source}>
        {source}
      </span>
      {confidence !== null && (
        <span className={styles.confidence} title={t('item.confidence')}>
          {t('item.percent', { percent: Math.round(confidence * 100) })}
        </span>
      )}
    </>
  );
}

/** Names that the server gives to annotation files and users as sources. */
const NOT_MODELS: Record<string, 'imported' | 'manual'> = { Import: 'imported', User: 'manual' };

/** Display names of models. Fetched only if a source is a model. */
function useSourceName(image: Image): (source: string) => string {
  const { t } = useTranslation();
  const entries = [...image.label_details, ...image.caption_details, ...image.objects];
  const { data: models } = useOperation(
    'list_models',
    { dataset_id: image.dataset_id },
    { enabled: entries.some(({ source }) => NOT_MODELS[source] === undefined), staleTime: 60_000 },
  );
  return (source) => {
    const known = NOT_MODELS[source];
    return known === undefined ? (models?.find(({ id }) => id === source)?.name ?? source) : t(`item.${known}`);
  };
}
