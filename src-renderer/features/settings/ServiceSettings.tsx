import { useTranslation } from 'react-i18next';
import { SETTING_GROUPS, type Setting } from '../../../src-main/contract/schemas/setting.ts';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useOperation } from '../../lib/use-operation.ts';
import { descriptionOf, SettingRow, titleOf } from './SettingRow.tsx';
import styles from './SettingsPage.module.css';

/** Settings that other programs read and that change nothing here. */
const WITHOUT_EFFECT: readonly string[] = ['SVC_CHAT_ENABLED', 'ENRICHMENT_INLINE_FLOW_ENABLED'];

/** Settings of the service, for all users. Changes take effect at once. @param search Text that titles, keys or descriptions contain. */
export function ServiceSettings({ search }: { search: string }) {
  const { t } = useTranslation();
  const { data, error } = useOperation('list_settings', {});
  if (data === undefined) {
    return (
      <Section title={t('settings.service')} text={t('settings.serviceText')} error={error}>
        {error === null && <Skeleton style={{ height: 240 }} />}
      </Section>
    );
  }
  const words = search.trim().toLocaleLowerCase();
  const isMatch = (setting: Setting) =>
    [titleOf(setting.name, t), setting.name, descriptionOf(setting), t(`settings.groups.${setting.group}`)].some(
      (text) => text.toLocaleLowerCase().includes(words),
    );
  const found = data.settings.filter((setting) => !WITHOUT_EFFECT.includes(setting.name) && isMatch(setting));
  if (found.length === 0) return <p className={styles.noMatch}>{t('settings.noMatch', { text: search })}</p>;
  return SETTING_GROUPS.map((group) => {
    const settings = found.filter((setting) => setting.group === group);
    if (settings.length === 0) return null;
    return (
      <Section key={group} title={t(`settings.groups.${group}`)} testId={`settings-${group}`}>
        <ul className={styles.list}>
          {settings.map((setting) => (
            <SettingRow key={setting.name} setting={setting} />
          ))}
        </ul>
      </Section>
    );
  });
}
