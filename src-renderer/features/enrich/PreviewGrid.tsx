import { Fragment } from 'react';
import type { EnrichmentModel } from '../../../src-main/contract/schemas/model.ts';
import styles from './PreviewGrid.module.css';
import { PreviewImage } from './PreviewImage.tsx';
import type { Previews } from './preview.store.ts';

/** The sample with the output of one model or two side by side, one row per image. */
export function PreviewGrid({ previews, shown }: { previews: Previews; shown: readonly EnrichmentModel[] }) {
  const compared = shown.length > 1;
  const same = shown.map((model) => commonError(previews, model));
  const reason = same[0];
  if (!compared && reason !== undefined) {
    return (
      <p className={styles.none} role="status" data-testid="preview-none">
        {reason}
      </p>
    );
  }
  return (
    <div className={`${styles.grid} ${compared ? styles.compared : ''}`} data-testid="preview-grid">
      {compared &&
        shown.map((model) => (
          <h3 key={model.id} className={styles.head}>
            {model.name}
          </h3>
        ))}
      {previews.items.map((item) => (
        <Fragment key={item.media_id}>
          {shown.map((model) => (
            <PreviewImage
              key={model.id}
              item={item}
              output={previews.outputs.get(model.id)?.get(item.media_id)}
              sample={previews.items}
            />
          ))}
        </Fragment>
      ))}
    </div>
  );
}

/** The reason why a model has no output, if it is the same for every image. */
function commonError({ items, outputs }: Previews, model: EnrichmentModel): string | undefined {
  const errors = new Set(items.map((item) => outputs.get(model.id)?.get(item.media_id)?.failure_reason));
  const [first] = errors;
  return errors.size === 1 && typeof first === 'string' ? first : undefined;
}
