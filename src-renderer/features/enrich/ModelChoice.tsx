import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { EnrichmentModel } from '../../../src-main/contract/schemas/model.ts';
import type { EnrichmentType } from '../../../src-main/contract/schemas/model-definition.ts';
import { Button } from '../../components/Button.tsx';
import { navigate } from '../../lib/location.ts';
import { messageText } from '../../lib/message-text.ts';
import { modelDescription } from '../../lib/model-description.ts';
import { routes } from '../../lib/routes.ts';
import styles from './ModelChoice.module.css';
import type { Choices } from './use-choices.ts';

interface ModelChoiceProps {
  type: EnrichmentType;
  models: readonly EnrichmentModel[];
  /** Models of all types, including dependencies. */
  all: readonly EnrichmentModel[];
  /** Id of the applied model of this type. */
  appliedId: string | undefined;
  choices: Choices;
}

/** Chooses one model of a type, or none. */
export function ModelChoice({ type, models, all, appliedId, choices }: ModelChoiceProps) {
  const { t } = useTranslation();
  const name = useId();
  const chosen = choices.chosen.find((model) => model.type === type);
  const here = models.filter((model) => model.unavailable === null);
  const others = models.filter((model) => model.unavailable !== null);
  const option = (model: EnrichmentModel) => (
    <Option
      key={model.id}
      group={name}
      model={model}
      checked={model === chosen}
      applied={model.id === appliedId}
      onChoose={() => choices.choose(model)}
    />
  );
  const missing = choices.missing.find(({ model }) => model.type === type)?.types ?? [];
  return (
    <section data-testid={`choose-${type}`}>
      <header className={styles.head}>
        <h2 id={`${name}-title`}>{t(`modelType.${type}`)}</h2>
        {chosen !== undefined && (
          <Button
            kind="quiet"
            aria-label={t('enrich.clearNamed', { type: t(`modelType.${type}`) })}
            onClick={() => choices.clear(type)}
          >
            {t('enrich.clear')}
          </Button>
        )}
      </header>
      <p className={styles.text}>{t(`modelTypeText.${type}`)}</p>
      <div role="radiogroup" aria-labelledby={`${name}-title`}>
        {here.map(option)}
        {others.length > 0 && (
          <details className={styles.others} open={here.length === 0}>
            <summary>{here.length === 0 ? t('enrich.noneHere') : t('enrich.others', { count: others.length })}</summary>
            {others.map(option)}
          </details>
        )}
      </div>
      {missing.map((needed) => (
        <Missing key={needed} needed={needed} all={all} choices={choices} />
      ))}
    </section>
  );
}

interface OptionProps {
  /** Name of the radio group of the type. */
  group: string;
  model: EnrichmentModel;
  checked: boolean;
  applied: boolean;
  onChoose(): void;
}

function Option({ group, model, checked, applied, onChoose }: OptionProps) {
  const { t } = useTranslation();
  const reasonId = useId();
  const { dependencies } = model;
  const reason = messageText(model.unavailable) ?? null;
  return (
    <div className={styles.option} data-testid="model-option" data-model={model.id} data-available={reason === null}>
      <label className={styles.label}>
        <input
          type="radio"
          name={group}
          checked={checked}
          disabled={reason !== null}
          aria-describedby={reason === null ? undefined : reasonId}
          onChange={onChoose}
        />
        <span className={styles.about}>
          <span className={styles.name}>
            {model.name}
            {applied && <span className={styles.applied}>{t('enrich.inUse')}</span>}
          </span>
          {model.description !== '' && (
            <span className={styles.description}>{modelDescription(model.description)}</span>
          )}
          {dependencies !== null && dependencies.length > 0 && (
            <span className={styles.description}>
              {t('enrich.needs', { types: dependencies.map((type) => t(`modelType.${type}`)).join(', ') })}
            </span>
          )}
        </span>
      </label>
      {reason !== null && (
        <div className={styles.unavailable}>
          <p id={reasonId}>{model.installed ? reason : t('enrich.notHere')}</p>
          {!model.installed && (
            <Button
              aria-label={t('enrich.getNamed', { name: model.name })}
              onClick={() => navigate(routes.models({ package: model.package_id }))}
              data-testid="get-model"
            >
              {t('enrich.get')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface MissingProps {
  needed: EnrichmentType;
  all: readonly EnrichmentModel[];
  choices: Choices;
}

/** A missing dependency of the chosen model, with a link to get it. */
function Missing({ needed, all, choices }: MissingProps) {
  const { t } = useTranslation();
  const here = all.find((model) => model.type === needed && model.unavailable === null);
  return (
    <div className={styles.missing} role="status" data-testid="missing-dependency">
      <p>{t('enrich.needs', { types: t(`modelType.${needed}`) })}</p>
      {here === undefined ? (
        <>
          <p>{t('enrich.noneHere')}</p>
          <Button onClick={() => navigate(routes.models({ type: needed }))}>{t('enrich.toModels')}</Button>
        </>
      ) : (
        <Button onClick={() => choices.choose(here)}>{t('enrich.chooseNamed', { name: here.name })}</Button>
      )}
    </div>
  );
}
