import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { EnrichmentModel } from '../../../src-main/contract/schemas/model.ts';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Form } from '../../components/Form.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { Switch } from '../../components/Switch.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { navigate } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { ALL_TASKS, routes } from '../../lib/routes.ts';
import { countOf, selectionOf, useChosen } from '../../lib/selection.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './EnrichDialog.module.css';
import { type AppliedModels, byType } from './use-choices.ts';

interface EnrichDialogProps {
  dataset: Dataset;
  chosen: readonly EnrichmentModel[];
  applied: AppliedModels;
  models: readonly EnrichmentModel[];
  onClose(): void;
}

/** Confirms and starts the enrichment: of a copy on this machine, or of the dataset on a Ray cluster. Then opens the page with the progress. */
export function EnrichDialog({ dataset, chosen, applied, models, onClose }: EnrichDialogProps) {
  const { t } = useTranslation();
  const { enrichment, set } = usePreferences();
  const change = (to: Partial<typeof enrichment>) => set({ enrichment: { ...enrichment, ...to } });
  const onSettled = useRefresh('list_datasets', 'list_tasks', 'get_dataset');
  const hasRay = chosen.some((model) => model.runs_on_ray);
  const onRay = hasRay && enrichment.onRay;
  const [model, ...others] = chosen;
  const fitsRay = model?.runs_on_ray === true && others.length === 0;
  const { location, useGpu } = enrichment;
  const chosenItems = [...useChosen(dataset.id).values()];
  const nChosen = countOf(chosenItems);
  const [isWhole, setWhole] = useState(nChosen === 0);
  const start = useMutation<string, ApiError, void>({
    mutationFn: async () => {
      if (!onRay) {
        const request = { dataset_id: dataset.id, enrichment_models: byType(chosen) };
        return routes.explore((await api.enrich_dataset(request)).dataset_id);
      }
      await api.compute_on_ray({
        ...{ dataset_id: dataset.id, model_id: model?.id ?? '', location, use_gpu: useGpu },
        ...(!isWhole && { media_selection: selectionOf(chosenItems) }),
      });
      return routes.tasks({ ...ALL_TASKS, dataset: dataset.id });
    },
    onSettled,
    onSuccess: (page) => navigate(page),
  });
  const failure = start.error;
  const replaced = (one: EnrichmentModel) => {
    const id = applied[one.type];
    if (onRay || id === undefined || id === one.id) return undefined;
    return t('enrich.runReplaces', { name: models.find((other) => other.id === id)?.name ?? id });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(onRay ? 'enrich.rayTitle' : 'enrich.runTitle', { name: dataset.display_name })}
      width={480}
      testId="enrich-dialog"
    >
      <Form
        submit={t(onRay ? 'enrich.rayStart' : 'enrich.runStart')}
        isPending={start.isPending}
        startsOnSubmit
        isComplete={!onRay || (fitsRay && location.trim() !== '')}
        error={onRay && !fitsRay ? t('enrich.rayOne') : failure?.fields.location === undefined && failure?.detail}
        onSubmit={() => start.mutate()}
        onCancel={onClose}
        testId="enrich-start"
      >
        {hasRay && (
          <Segmented
            label={t('enrich.runsOn')}
            value={onRay ? 'ray' : 'here'}
            options={[
              { value: 'here', label: t('enrich.here') },
              { value: 'ray', label: t('enrich.ray') },
            ]}
            onChange={(place) => {
              start.reset();
              change({ onRay: place === 'ray' });
            }}
            testId="enrich-place"
          />
        )}
        <p>{t(onRay ? 'enrich.rayText' : 'enrich.runCopy')}</p>
        <dl className={styles.models}>
          {chosen.map((one) => (
            <div key={one.id}>
              <dt>{t(`modelType.${one.type}`)}</dt>
              <dd>
                {one.name} <span className={styles.replaces}>{replaced(one)}</span>
              </dd>
            </div>
          ))}
        </dl>
        {onRay ? (
          <>
            {nChosen > 0 && (
              <Segmented
                label={t('exports.scope')}
                value={isWhole ? 'all' : 'chosen'}
                options={[
                  { value: 'all', label: t('exports.scopes.all') },
                  {
                    value: 'chosen',
                    label: t('exports.scopeCount', { scope: t('exports.scopes.chosen'), count: nChosen }),
                  },
                ]}
                onChange={(scope) => setWhole(scope === 'all')}
                testId="ray-scope"
              />
            )}
            <TextField
              label={t('enrich.rayLocation')}
              value={location}
              hint={t('enrich.rayLocationHint')}
              error={failure?.fields.location}
              placeholder={t('enrich.rayLocationPlaceholder')}
              onChange={(to) => {
                start.reset();
                change({ location: to });
              }}
              testId="ray-location"
            />
            <Switch
              label={t('enrich.rayGpu')}
              hint={t('enrich.rayGpuHint')}
              checked={useGpu}
              onChange={(to) => change({ useGpu: to })}
              testId="ray-gpu"
            />
          </>
        ) : (
          <p className={form.hint}>{t('enrich.runReadOnly')}</p>
        )}
      </Form>
    </Dialog>
  );
}
