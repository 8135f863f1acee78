import { Sparkles } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { EnrichmentModel } from '../../../src-main/contract/schemas/model.ts';
import { ENRICHMENT_TYPES, type EnrichmentType } from '../../../src-main/contract/schemas/model-definition.ts';
import { Button } from '../../components/Button.tsx';
import { ProgressBar } from '../../components/Progress.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import type { ApiError } from '../../lib/api-error.ts';
import { PreviewGrid } from './PreviewGrid.tsx';
import styles from './PreviewPanel.module.css';
import { usePreviewStore } from './preview.store.ts';
import type { Choices } from './use-choices.ts';

interface PreviewPanelProps {
  datasetId: string;
  models: readonly EnrichmentModel[];
  choices: Choices;
  /** Models that are being previewed, by type. Empty when none. */
  running: readonly string[];
  error: ApiError | null;
  onStop(): void;
  onRetry(): void;
}

/** Models that generate sentences token by token. */
const SLOW: readonly string[] = ['CAPTION_IMAGES', 'CAPTION_OBJECTS'] satisfies EnrichmentType[];

/** Preview results on a few images, for one model or two models of a type side by side. */
export function PreviewPanel({ datasetId, models, choices, running, error, onStop, onRetry }: PreviewPanelProps) {
  const { t } = useTranslation();
  const previews = usePreviewStore((store) => store.of[datasetId]);
  const tried = ENRICHMENT_TYPES.flatMap((type) =>
    models.filter((model) => model.type === type && previews?.outputs.has(model.id)),
  );
  const requested = choices.shown ?? choices.chosen.find((model) => tried.includes(model))?.id;
  const shown = tried.find((model) => model.id === requested) ?? tried[0];
  const others = tried.filter((model) => model.type === shown?.type && model !== shown);
  const beside = others.find((model) => model.id === choices.beside);
  const count = running.length;
  const panel = useRef<HTMLElement>(null);
  // In the one-column layout, the preview is below the choices.
  useEffect(() => {
    if (count > 0) panel.current?.scrollIntoView({ block: 'start' });
  }, [count]);
  return (
    <section ref={panel} className={styles.panel} aria-label={t('enrich.preview')} data-testid="preview-panel">
      {count > 0 && (
        <div className={styles.running} role="status" data-testid="preview-running">
          <ProgressBar percent={null} label={t('enrich.previewing', { count })} />
          <div className={styles.runningText}>
            <p>
              {t('enrich.previewing', { count })}{' '}
              {running.some((type) => SLOW.includes(type)) && <span>{t('enrich.previewSlow')}</span>}
            </p>
            <Button onClick={onStop}>{t('common.cancel')}</Button>
          </div>
        </div>
      )}
      {error !== null ? (
        <QueryError error={error} onRetry={onRetry} />
      ) : shown === undefined || previews === undefined ? (
        <StateMessage
          icon={<Sparkles size={24} strokeWidth={1.5} />}
          title={previews?.items.length === 0 ? t('enrich.previewEmpty') : t('enrich.previewTitle')}
          text={previews?.items.length === 0 ? undefined : t('enrich.previewText')}
        />
      ) : (
        <>
          <div className={styles.views}>
            <Segmented
              label={t('enrich.shown')}
              value={shown.id}
              options={tried.map((model) => ({ value: model.id, label: model.name }))}
              onChange={(id) => choices.show({ shown: id, beside: undefined })}
            />
            {others.length > 0 && (
              <div className={styles.compare} data-testid="compare">
                <span>{t('enrich.beside')}</span>
                <Segmented
                  label={t('enrich.beside')}
                  value={beside?.id ?? ''}
                  options={[
                    { value: '', label: t('enrich.besideNone') },
                    ...others.map((model) => ({ value: model.id, label: model.name })),
                  ]}
                  onChange={(id) => choices.show({ shown: shown.id, beside: id === '' ? undefined : id })}
                />
              </div>
            )}
          </div>
          <PreviewGrid previews={previews} shown={beside === undefined ? [shown] : [shown, beside]} />
        </>
      )}
    </section>
  );
}
