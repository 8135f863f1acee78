import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { EnrichmentContext, EnrichmentModel } from '../../../src-main/contract/schemas/model.ts';
import { ENRICHMENT_TYPES } from '../../../src-main/contract/schemas/model-definition.ts';
import { Button } from '../../components/Button.tsx';
import { type DatasetState, stateOf, takesMedia } from '../../lib/datasets.ts';
import { AddSemanticEmbeddings } from './AddSemanticEmbeddings.tsx';
import { AppliedSection } from './AppliedSection.tsx';
import { EnrichDialog } from './EnrichDialog.tsx';
import styles from './EnrichWorkspace.module.css';
import { ModelChoice } from './ModelChoice.tsx';
import { NoModels } from './NoModels.tsx';
import { PreviewPanel } from './PreviewPanel.tsx';
import { RunningCopies } from './RunningCopies.tsx';
import { byType, type Choices, useChoices } from './use-choices.ts';
import { usePreview } from './use-preview.ts';

interface EnrichWorkspaceProps {
  dataset: Dataset;
  models: readonly EnrichmentModel[];
  context: EnrichmentContext;
}

/** Model choices on one side, preview results on the other. */
export function EnrichWorkspace({ dataset, models, context }: EnrichWorkspaceProps) {
  const { t } = useTranslation();
  const applied = context.dataset_enrichment_models.enrichment_models;
  const choices = useChoices(dataset.id, models, applied);
  const preview = usePreview(dataset.id, ([first]) => {
    if (first !== undefined) choices.show({ shown: first, beside: undefined });
  });
  const [asking, setAsking] = useState(false);
  const obstacle = useObstacle(dataset, choices);
  const types = ENRICHMENT_TYPES.filter((type) => models.some((model) => model.type === type));

  const tryModels = () => {
    const chosen = byType(choices.chosen);
    // Applied models are not chosen again, but other models of the preview may depend on them.
    for (const type of choices.chosen.flatMap((model) => model.dependencies ?? [])) {
      const here = models.find((model) => model.id === applied[type] && model.unavailable === null);
      if (chosen[type] === undefined && here !== undefined) chosen[type] = here.id;
    }
    preview.mutate(chosen);
  };
  return (
    <div className={styles.workspace} data-testid="enrich-page">
      <div className={styles.panel}>
        <div className={styles.choices}>
          <RunningCopies datasetId={dataset.id} />
          <AppliedSection datasetId={dataset.id} applied={applied} models={models} nFailed={context.n_failed} />
          {applied.MULTIMODEL_IMAGE_ENCODING === undefined && (
            <AddSemanticEmbeddings dataset={dataset} requested={context.wanted_encoder} />
          )}
          {models.every((model) => !model.installed) && <NoModels />}
          {types.map((type) => (
            <ModelChoice
              key={type}
              type={type}
              models={models.filter((model) => model.type === type)}
              all={models}
              appliedId={applied[type]}
              choices={choices}
            />
          ))}
        </div>
        <footer className={styles.footer}>
          {obstacle !== undefined && (
            <p id="enrich-obstacle" className={styles.obstacle} role="status" data-testid="enrich-obstacle">
              {obstacle}
            </p>
          )}
          <div className={styles.buttons}>
            <Button
              disabled={choices.chosen.length === 0 || choices.missing.length > 0 || !takesMedia(dataset)}
              aria-busy={preview.isPending}
              onClick={tryModels}
              data-testid="preview"
            >
              {t('enrich.preview')}
            </Button>
            <Button
              kind="primary"
              disabled={obstacle !== undefined}
              aria-describedby={obstacle === undefined ? undefined : 'enrich-obstacle'}
              onClick={() => setAsking(true)}
              data-testid="enrich"
            >
              {t('enrich.run')}
            </Button>
          </div>
        </footer>
      </div>
      <PreviewPanel
        datasetId={dataset.id}
        models={models}
        choices={choices}
        running={preview.isPending ? Object.keys(preview.variables) : []}
        error={preview.error}
        onStop={preview.stop}
        onRetry={tryModels}
      />
      {asking && (
        <EnrichDialog
          dataset={dataset}
          chosen={choices.chosen}
          applied={applied}
          models={models}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

/** Why the dataset cannot be enriched with the chosen models. */
function useObstacle(dataset: Dataset, { chosen, missing }: Choices): string | undefined {
  const { t } = useTranslation();
  const state: DatasetState = stateOf(dataset);
  if (state !== 'ready') return t(`enrich.notReady.${state}`);
  const first = missing[0];
  if (first !== undefined) {
    const types = first.types.map((type) => t(`modelType.${type}`)).join(', ');
    return t('enrich.missing', { name: first.model.name, types });
  }
  return chosen.length === 0 ? t('enrich.chooseFirst') : undefined;
}
