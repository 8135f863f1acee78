import { useTranslation } from 'react-i18next';
import { SETTING_GROUPS } from '../../../src-main/contract/schemas/setting.ts';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useOperation } from '../../lib/use-operation.ts';
import { SettingRow } from './SettingRow.tsx';
import styles from './SettingsPage.module.css';

/** Settings of the service, for all users. Changes take effect at once. */
export function ServiceSettings() {
  const { t } = useTranslation();
  const { data, error } = useOperation('list_settings', {});
  if (data === undefined) {
    return (
      <Section title={t('settings.service')} text={t('settings.serviceText')} error={error}>
        {error === null && <Skeleton style={{ height: 240 }} />}
      </Section>
    );
  }
  return SETTING_GROUPS.map((group) => {
    const settings = data.settings.filter((setting) => setting.group === group);
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
