import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelPackage } from '../../../src-main/contract/schemas/model.ts';
import { StateMark } from '../../components/StateMark.tsx';
import { formatBytes, formatRate } from '../../lib/format.ts';
import { messageText } from '../../lib/message-text.ts';
import { modelDescription } from '../../lib/model-description.ts';
import { DownloadProgress } from './DownloadProgress.tsx';
import { useDeviceName } from './device-name.ts';
import type { PackagedModel } from './group-by-type.ts';
import { ModelActions } from './ModelActions.tsx';
import styles from './ModelRow.module.css';
import { usePackageActions } from './use-model-actions.ts';

interface ModelRowProps {
  /** The package that contains the model. */
  files: ModelPackage;
  model: PackagedModel;
  downloadsOff: boolean;
  /** Whether the user followed a link to this model. */
  marked: boolean;
  onImport(): void;
}

/** One model: type, origin, size, status and actions. */
export function ModelRow({ files, model, downloadsOff, marked, onImport }: ModelRowProps) {
  const { t } = useTranslation();
  const row = useRef<HTMLLIElement>(null);
  const actions = usePackageActions(files.package_id);
  useEffect(() => {
    if (marked) row.current?.scrollIntoView({ block: 'center' });
  }, [marked]);
  const failure = actions.download.error ?? actions.cancel.error;
  return (
    <li
      ref={row}
      className={styles.row}
      data-testid="model-row"
      data-model={model.id}
      data-state={files.state}
      data-marked={marked}
    >
      <div className={styles.main}>
        <h3 className={styles.name} title={model.name}>
          {model.name}
        </h3>
        {model.description !== '' && <p className={styles.description}>{modelDescription(model.description)}</p>}
        <Facts files={files} model={model} />
        {files.state === 'downloading' && <DownloadProgress files={files} />}
        {files.state === 'failed' && (
          <p className={styles.bad} role="alert">
            {files.failure === null
              ? t('models.failedNoReason')
              : t('models.failed', { reason: messageText(files.failure) })}
          </p>
        )}
        {failure !== null && (
          <p className={styles.bad} role="alert">
            {failure.detail}
          </p>
        )}
      </div>
      <ModelActions files={files} model={model} downloadsOff={downloadsOff} actions={actions} onImport={onImport} />
    </li>
  );
}

function Facts({ files, model }: { files: ModelPackage; model: PackagedModel }) {
  const { t } = useTranslation();
  const device = useDeviceName(model.device);
  const others = files.models.filter((one) => one.id !== model.id).map((one) => one.name);
  const ran =
    device === undefined
      ? undefined
      : model.items_per_s === null
        ? t('models.ranOn', { device })
        : t('models.ran', { device, rate: formatRate(model.items_per_s) });
  const canBeHad = model.status === 'Active';
  const interrupted = files.received_bytes > 0 && (files.state === 'not_installed' || files.state === 'failed');
  const facts: [key: string, fact: ReactNode][] = [
    ['state', <State key="state" files={files} model={model} />],
    ['ran', ran],
    ['size', files.size_bytes === null ? canBeHad && t('models.sizeUnknown') : formatBytes(files.size_bytes)],
    ['kept', interrupted && t('models.receivedKept', { done: formatBytes(files.received_bytes) })],
    ['vendor', files.vendor],
    ['licence', <Licence key="licence" files={files} />],
    ['memory', model.memory_bytes !== null && t('models.memory', { size: formatBytes(model.memory_bytes) })],
    ['together', others.length > 0 && t('models.together', { names: others.join(', ') })],
    ['page', files.page_url !== null && <Out key="page" href={files.page_url} text={t('models.page')} />],
  ];
  return (
    <div className={styles.facts}>
      {facts
        .filter(([, fact]) => fact !== undefined && fact !== false && fact !== '')
        .map(([key, fact]) => (
          <span key={key}>{fact}</span>
        ))}
    </div>
  );
}

function State({ files, model }: { files: ModelPackage; model: PackagedModel }) {
  const { t } = useTranslation();
  if (model.status === 'Coming Soon') return <span>{t('models.comingSoon')}</span>;
  if (files.state === 'downloading' || files.state === 'failed') return null;
  return (
    <>
      <StateMark tone={files.state === 'installed' ? 'ok' : 'quiet'} testId="model-state">
        {files.state === 'installed' ? t('models.installed') : t('models.notInstalled')}
      </StateMark>
      {files.origin === 'own' && <span className={styles.own}>{t('models.own')}</span>}
    </>
  );
}

function Licence({ files }: { files: ModelPackage }) {
  const { t } = useTranslation();
  const name = files.licence === '' ? t('models.noLicence') : files.licence;
  return files.licence_url === null ? name : <Out href={files.licence_url} text={name} />;
}

function Out({ href, text }: { href: string; text: string }) {
  return (
    <a className={styles.link} href={href} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}
