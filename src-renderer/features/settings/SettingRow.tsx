import { useMutation } from '@tanstack/react-query';
import i18next, { type TFunction } from 'i18next';
import { RotateCcw } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Setting } from '../../../src-main/contract/schemas/setting.ts';
import form from '../../components/Form.module.css';
import { IconButton } from '../../components/IconButton.tsx';
import { SwitchTrack } from '../../components/Switch.tsx';
import { DE_SETTING_DESCRIPTIONS } from '../../i18n/de-setting-descriptions.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './SettingsPage.module.css';

/** One setting: title, description, key, and a control that takes effect at once. */
export function SettingRow({ setting }: { setting: Setting }) {
  const { t } = useTranslation();
  const id = useId();
  const onSettled = useRefresh('list_settings', 'get_account');
  const change = useMutation<Setting, ApiError, string>({
    mutationFn: (value) => api.change_setting({ key: setting.name, value }),
    onSettled,
  });
  const reset = useMutation<Setting, ApiError>({
    mutationFn: () => api.reset_setting({ key: setting.name }),
    onMutate: () => change.reset(),
    onSettled,
  });
  const { name, value, is_overridden } = setting;
  const title = titleOf(name, t);
  return (
    <li className={styles.setting} data-testid="setting" data-name={name}>
      <div className={styles.text}>
        <label htmlFor={id} className={styles.title}>
          {title}
        </label>
        <p id={`${id}-text`} className={styles.description}>
          {descriptionOf(setting)} {t('settings.default', { value: defaultOf(setting, t) })}
        </p>
        <p className={styles.key}>{name}</p>
        <p className={form.error} role="alert">
          {wordsOf(change.error ?? reset.error)}
        </p>
      </div>
      <div className={styles.control}>
        <Control
          id={id}
          setting={setting}
          shown={change.isPending ? change.variables : value}
          invalid={change.error !== null}
          onChange={(next) => change.mutate(next)}
          onGiveUp={() => change.reset()}
        />
        <span className={styles.reset}>
          {is_overridden && (
            <IconButton
              label={t('settings.toDefault', { name: title })}
              icon={<RotateCcw size={14} />}
              disabled={reset.isPending}
              onClick={() => reset.mutate()}
              data-testid="reset-setting"
            />
          )}
        </span>
      </div>
    </li>
  );
}

/** Title of a setting; its key if this page does not know the setting. */
export function titleOf(name: string, t: TFunction): string {
  const titles: Readonly<Record<string, string>> = t('settings.names', { returnObjects: true });
  return titles[name] ?? name;
}

/** The service describes settings in English. */
export function descriptionOf({ name, description }: Setting): string {
  return i18next.resolvedLanguage === 'de' ? (DE_SETTING_DESCRIPTIONS[name] ?? description) : description;
}

function defaultOf(setting: Setting, t: TFunction): string {
  if (setting.type === 'boolean') return t(setting.default === 'true' ? 'settings.on' : 'settings.off');
  return setting.default === '' ? t('settings.empty') : setting.default;
}

/** Only the reason why the value is invalid, if that is the error. */
function wordsOf(error: ApiError | null): string | undefined {
  return error?.fields.value ?? error?.detail;
}

interface ControlProps {
  id: string;
  setting: Setting;
  shown: string;
  invalid: boolean;
  onChange(value: string): void;
  /** Discards the typed text. */
  onGiveUp(): void;
}

function Control({ shown, ...props }: ControlProps) {
  const { id, setting, onChange } = props;
  const { t } = useTranslation();
  const describedBy = `${id}-text`;
  if (setting.type === 'boolean') {
    return (
      <SwitchTrack
        id={id}
        checked={shown === 'true'}
        describedBy={describedBy}
        onChange={(isOn) => onChange(String(isOn))}
        testId="setting-switch"
      />
    );
  }
  if (setting.type === 'choice') {
    return (
      <select
        id={id}
        className={form.input}
        value={shown}
        aria-describedby={describedBy}
        data-testid="setting-choice"
        onChange={(event) => onChange(event.target.value)}
      >
        {setting.choices?.map((choice) => (
          <option key={choice} value={choice}>
            {choice === '' ? t('settings.empty') : choice}
          </option>
        ))}
      </select>
    );
  }
  return <TextControl {...props} />;
}

/** Text is saved on blur or Enter, not while typing. */
function TextControl({ id, setting, invalid, onChange, onGiveUp }: Omit<ControlProps, 'shown'>) {
  const { type, value, minimum, maximum, multi_line = false } = setting;
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  const commit = () => text !== value && onChange(text);
  const common = {
    id,
    value: text,
    spellCheck: false,
    autoComplete: 'off',
    'aria-invalid': invalid,
    'aria-describedby': `${id}-text`,
    'data-testid': 'setting-text',
    onBlur: commit,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && !multi_line) commit();
      if (event.key !== 'Escape' || text === value) return;
      event.preventDefault();
      setText(value);
      onGiveUp();
    },
  };
  if (multi_line) {
    return <textarea {...common} className={form.textarea} onChange={(event) => setText(event.target.value)} />;
  }
  return (
    <input
      {...common}
      className={form.input}
      type={type === 'number' ? 'number' : 'text'}
      min={minimum}
      max={maximum}
      step="any"
      onChange={(event) => setText(event.target.value)}
    />
  );
}
