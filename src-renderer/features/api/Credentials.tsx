import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../src-main/contract/contract.ts';
import { Button } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import rows from '../../components/Rows.module.css';
import { Section } from '../../components/Section.tsx';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './ApiPage.module.css';
import type { ApiKey } from './snippets.ts';

type Credential = Result<'list_api_credentials'>['credentials'][number];

interface CredentialsProps {
  /** The new key, until its secret is dismissed. */
  fresh: ApiKey | undefined;
  onFresh(key: ApiKey | undefined): void;
}

/** The user's keys. The secret of a new key is shown once. Keys can be revoked. */
export function Credentials({ fresh, onFresh }: CredentialsProps) {
  const { t } = useTranslation();
  const { data, error } = useOperation('list_api_credentials', {});
  const [revoking, setRevoking] = useState<Credential | null>(null);
  return (
    <Section title={t('api.credentials')} text={t('api.credentialsText')} error={error} testId="credentials">
      {fresh === undefined ? (
        <CreateForm onCreated={onFresh} />
      ) : (
        <div className={styles.fresh}>
          <ShownOnce
            text={t('api.once')}
            facts={[
              { name: t('api.key'), value: fresh.key, testId: 'fresh-key' },
              { name: t('api.secret'), value: fresh.secret, testId: 'fresh-secret' },
            ]}
          >
            <Button onClick={() => onFresh(undefined)} data-testid="shown-once-done">
              {t('api.done')}
            </Button>
          </ShownOnce>
        </div>
      )}
      {data === undefined ? (
        error === null && <Skeleton style={{ height: 52 }} />
      ) : data.credentials.length === 0 ? (
        <p className={rows.none}>{t('api.none')}</p>
      ) : (
        <ul className={rows.list}>
          {data.credentials.map((credential) => (
            <CredentialRow key={credential.api_key} credential={credential} onRevoke={() => setRevoking(credential)} />
          ))}
        </ul>
      )}
      {revoking !== null && <RevokeDialog credential={revoking} onClose={() => setRevoking(null)} />}
    </Section>
  );
}

function CreateForm({ onCreated }: { onCreated(key: ApiKey): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const refresh = useRefresh('list_api_credentials');
  const create = useMutation<Result<'create_api_credentials'>, ApiError>({
    mutationFn: () => api.create_api_credentials(name.trim() === '' ? {} : { name: name.trim() }),
    onSuccess: ({ api_key, api_secret }) => onCreated({ key: api_key, secret: api_secret }),
    onSettled: refresh,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!create.isPending) create.mutate();
  };
  return (
    <form className={styles.create} onSubmit={submit}>
      <TextField
        label={t('api.name')}
        value={name}
        maxLength={100}
        autoComplete="off"
        placeholder={t('api.namePlaceholder')}
        error={create.error?.detail}
        onChange={setName}
        testId="credential-name"
      />
      <Button kind="primary" type="submit" disabled={create.isPending} data-testid="create-credential">
        {t('api.create')}
      </Button>
    </form>
  );
}

function CredentialRow({ credential, onRevoke }: { credential: Credential; onRevoke(): void }) {
  const { t } = useTranslation();
  const now = useNow(false);
  const { name, api_key, created_at, last_used_at } = credential;
  const title = name === '' ? t('api.unnamed') : name;
  return (
    <li className={rows.row} data-testid="credential-row">
      <div className={rows.main}>
        <p className={rows.name} title={title}>
          {title}
        </p>
        <p className={rows.facts}>
          <code>{api_key}</code>
          <span>{t('api.created', { when: formatDateTime(created_at) })}</span>
          <span>
            {last_used_at === null ? t('api.neverUsed') : t('api.used', { when: formatAgo(last_used_at, now) })}
          </span>
        </p>
      </div>
      <Button aria-label={t('api.revokeNamed', { name: title })} onClick={onRevoke} data-testid="revoke-credential">
        {t('api.revoke')}
      </Button>
    </li>
  );
}

function RevokeDialog({ credential, onClose }: { credential: Credential; onClose(): void }) {
  const { t } = useTranslation();
  const refresh = useRefresh('list_api_credentials');
  const revoke = useMutation<unknown, ApiError>({
    mutationFn: () => api.revoke_api_credentials({ api_key: credential.api_key }),
    onSuccess: onClose,
    onSettled: refresh,
  });
  return (
    <ConfirmDialog
      title={t('api.revokeTitle', { name: credential.name === '' ? credential.api_key : credential.name })}
      confirm={t('api.revoke')}
      busy={revoke.isPending}
      error={revoke.error?.detail}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{t('api.revokeText')}</p>
    </ConfirmDialog>
  );
}
