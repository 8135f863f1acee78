import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelSettings } from '../../../src-main/contract/schemas/model.ts';
import { Button } from '../../components/Button.tsx';
import form from '../../components/Form.module.css';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { Switch } from '../../components/Switch.tsx';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './DownloadSettings.module.css';
import { useModelSettingsChange } from './use-model-actions.ts';

/** Download sources of models, and whether downloads are allowed. */
export function DownloadSettings() {
  const { t } = useTranslation();
  const { data, error } = useOperation('get_model_settings', {});
  return (
    <Section title={t('models.sources')} text={t('models.sourcesText')} error={error} testId="model-settings">
      {data !== undefined && (
        <div className={styles.settings}>
          <Never settings={data} />
          <Addresses key={JSON.stringify([data.hub_url, data.mirrors])} settings={data} />
        </div>
      )}
      {data === undefined && error === null && <Skeleton style={{ height: 120 }} />}
    </Section>
  );
}

function Never({ settings }: { settings: ModelSettings }) {
  const { t } = useTranslation();
  const change = useModelSettingsChange();
  return (
    <div>
      <Switch
        label={t('models.never')}
        hint={t('models.neverHint')}
        checked={change.isPending ? change.variables.never_download === true : settings.never_download}
        disabled={change.isPending}
        onChange={(neverDownload) => change.mutate({ never_download: neverDownload })}
        testId="never-download"
      />
      <p className={form.error} role="alert">
        {change.error?.detail}
      </p>
    </div>
  );
}

function Addresses({ settings }: { settings: ModelSettings }) {
  const { t } = useTranslation();
  const id = useId();
  const saved = { hub: settings.hub_url, mirrors: settings.mirrors.join('\n') };
  const [text, setText] = useState(saved);
  const change = useModelSettingsChange();
  const changed = text.hub !== saved.hub || text.mirrors !== saved.mirrors;
  const fields = change.error?.fields ?? {};
  const mirrorsError = Object.entries(fields).find(([name]) => name.startsWith('mirrors'))?.[1];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const mirrors = text.mirrors
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    change.mutate({ hub_url: text.hub.trim(), mirrors });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={form.field}>
        <label htmlFor={`${id}-hub`}>{t('models.hub')}</label>
        <input
          id={`${id}-hub`}
          className={form.input}
          value={text.hub}
          spellCheck={false}
          autoComplete="off"
          inputMode="url"
          disabled={settings.never_download}
          aria-invalid={fields.hub_url !== undefined}
          aria-describedby={`${id}-hub-error`}
          data-testid="hub-url"
          onChange={(event) => setText({ ...text, hub: event.target.value })}
        />
        <p id={`${id}-hub-error`} className={form.error} role="alert">
          {fields.hub_url}
        </p>
      </div>
      <div className={form.field}>
        <label htmlFor={`${id}-mirrors`}>{t('models.mirrors')}</label>
        <textarea
          id={`${id}-mirrors`}
          className={`${form.textarea} ${styles.mirrors}`}
          value={text.mirrors}
          spellCheck={false}
          disabled={settings.never_download}
          aria-invalid={mirrorsError !== undefined}
          aria-describedby={`${id}-mirrors-hint`}
          data-testid="mirrors"
          onChange={(event) => setText({ ...text, mirrors: event.target.value })}
        />
        <p id={`${id}-mirrors-hint`} className={form.hint}>
          {t('models.mirrorsHint')}
        </p>
        <p className={form.error} role="alert">
          {mirrorsError}
        </p>
      </div>
      {change.error !== null && Object.keys(fields).length === 0 && (
        <p className={form.error} role="alert">
          {change.error.detail}
        </p>
      )}
      <Button type="submit" disabled={!changed || change.isPending || settings.never_download}>
        {t('models.save')}
      </Button>
    </form>
  );
}
