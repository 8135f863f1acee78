import { useTranslation } from 'react-i18next';
import type { Device } from '../../../src-main/contract/schemas/model.ts';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMark } from '../../components/StateMark.tsx';
import { messageText } from '../../lib/message-text.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './Devices.module.css';
import { useDeviceName } from './device-name.ts';

/** Devices for models: which are used, and why others are not available. */
export function Devices() {
  const { t } = useTranslation();
  const { data, error } = useOperation('list_devices', {}, { staleTime: Number.POSITIVE_INFINITY });
  return (
    <Section title={t('models.devices')} text={t('models.devicesText')} error={error} testId="devices">
      {data === undefined && error === null && <Skeleton style={{ height: 80 }} />}
      {data?.devices.length === 0 && <p className={styles.none}>{t('models.noDevices')}</p>}
      {data !== undefined && data.devices.length > 0 && (
        <ul className={styles.list}>
          {data.devices.map((device) => (
            <DeviceRow key={device.provider} device={device} used={device.provider === data.used} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function DeviceRow({ device, used }: { device: Device; used: boolean }) {
  const { t } = useTranslation();
  const name = useDeviceName(device.provider);
  const state = used ? t('models.deviceUsed') : device.works ? t('models.deviceWorks') : t('models.deviceNot');
  return (
    <li className={styles.row} data-testid="device-row">
      <span className={styles.name}>{name}</span>
      <StateMark tone={used ? 'ok' : 'quiet'}>{state}</StateMark>
      <span className={styles.reason}>{device.problem && messageText(device.problem)}</span>
    </li>
  );
}
