import { useTranslation } from 'react-i18next';
import { Thumb } from '../../components/Thumb.tsx';
import { labelColour } from '../../lib/label-colour.ts';
import styles from './ModelOutput.module.css';
import type { PreviewItem, PreviewOutput } from './preview.store.ts';

const SIMILAR_SHOWN = 5;

/** A model's output for an image, in words. For an encoder, the most similar images. */
export function ModelOutput({ output, sample }: { output: PreviewOutput; sample: readonly PreviewItem[] }) {
  const { t } = useTranslation();
  switch (output.type) {
    case 'MULTIMODEL_IMAGE_ENCODING':
      return <Similar ids={output.similar_media_ids} sample={sample} />;
    case 'CAPTION_IMAGES':
      return output.caption === null || output.caption === '' ? (
        <p className={styles.quiet}>{t('enrich.noCaption')}</p>
      ) : (
        <p data-testid="preview-caption">{output.caption}</p>
      );
    case 'CAPTION_OBJECTS':
      return <CaptionedObjects output={output} />;
    case 'OBJECT_DETECTION':
    case 'IMAGE_TAGGING':
    case 'CAPTION_ENCODING':
      return (
        <Labels
          labels={output.type === 'OBJECT_DETECTION' ? output.objects : output.labels}
          numbered={output.type === 'OBJECT_DETECTION'}
        />
      );
  }
}

interface LabelsProps {
  labels: readonly { label: string; confidence: number }[];
  numbered: boolean;
}

function Labels({ labels, numbered }: LabelsProps) {
  const { t } = useTranslation();
  if (labels.length === 0) return <p className={styles.quiet}>{t('enrich.nothingFound')}</p>;
  return (
    <ol className={styles.labels}>
      {labels.map(({ label, confidence }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: objects of one answer have no other name and never change places
        <li key={at} data-testid="preview-label">
          {numbered && <BoxNumber at={at} label={label} />}
          <span>{label}</span>
          <span className={styles.percent}>{t('enrich.percent', { percent: Math.round(confidence * 100) })}</span>
        </li>
      ))}
    </ol>
  );
}

function CaptionedObjects({ output }: { output: PreviewOutput }) {
  const { t } = useTranslation();
  if (output.objects.length === 0) return <p className={styles.quiet}>{t('enrich.nothingFound')}</p>;
  return (
    <ol className={styles.objects}>
      {output.objects.map(({ label, caption }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: objects of one answer have no other name and never change places
        <li key={at} data-testid="preview-object">
          <BoxNumber at={at} label={label} />
          <span>
            {caption ?? t('enrich.noCaption')} <span className={styles.quiet}>{label}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function Similar({ ids, sample }: { ids: readonly string[]; sample: readonly PreviewItem[] }) {
  const { t } = useTranslation();
  const similar = ids.slice(0, SIMILAR_SHOWN).flatMap((id) => sample.find((item) => item.media_id === id) ?? []);
  if (similar.length === 0) return <p className={styles.quiet}>{t('enrich.nothingFound')}</p>;
  return (
    <>
      <p className={styles.quiet}>{t('enrich.similar')}</p>
      <ol className={styles.similar}>
        {similar.map((item) => (
          <li key={item.media_id} data-testid="preview-similar">
            <Thumb src={item.media_thumb_uri} alt={item.file_name} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The number of a box, in its colour. */
function BoxNumber({ at, label }: { at: number; label: string }) {
  return (
    <span className={styles.number} style={labelColour(label)}>
      {at + 1}
    </span>
  );
}
