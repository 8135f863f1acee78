import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tooltip } from '../../components/Tooltip.tsx';
import { useIsShared } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import styles from './Presence.module.css';

const EVERY_MS = 30_000;
/** Maximum number of people shown one by one. */
const SHOWN = 3;

interface Person {
  email: string;
  name: string;
}

/** The other users who look at the dataset. Tells the server that this user does, while the page is visible. */
export function Presence({ datasetId }: { datasetId: string }) {
  const isShared = useIsShared();
  return isShared ? <Others datasetId={datasetId} /> : null;
}

function Others({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const [others, setOthers] = useState<readonly Person[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const note = async () => {
      if (document.hidden) return;
      const answer = await api
        .note_presence({ dataset_id: datasetId, is_leaving: false }, { signal: controller.signal })
        // Presence is an extra: a screen without it still works.
        .catch(() => undefined);
      if (answer !== undefined) setOthers(answer.others);
    };
    void note();
    const timer = setInterval(() => void note(), EVERY_MS);
    return () => {
      clearInterval(timer);
      controller.abort();
      void api.note_presence({ dataset_id: datasetId, is_leaving: true }).catch(() => undefined);
    };
  }, [datasetId]);
  if (others.length === 0) return null;
  const named = others.map(({ name, email }) => (name === '' ? email : `${name} (${email})`)).join(', ');
  return (
    <Tooltip text={t('presence.here', { names: named })}>
      <button type="button" className={styles.people} aria-label={t('presence.here', { names: named })}>
        {others.slice(0, SHOWN).map(({ email, name }) => (
          <span key={email} className={styles.person} aria-hidden="true">
            {(name || email).charAt(0).toUpperCase()}
          </span>
        ))}
        {others.length > SHOWN && <span aria-hidden="true">+{others.length - SHOWN}</span>}
      </button>
    </Tooltip>
  );
}
