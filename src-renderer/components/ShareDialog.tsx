import { useMutation } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../lib/api.ts';
import type { ApiError } from '../lib/api-error.ts';
import { useOperation } from '../lib/use-operation.ts';
import { useRefresh } from '../lib/use-refresh.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import form from './Form.module.css';
import { IconButton } from './IconButton.tsx';
import rows from './Rows.module.css';
import styles from './ShareDialog.module.css';
import { Skeleton } from './Skeleton.tsx';
import { TextField } from './TextField.tsx';

interface ShareDialogProps {
  datasetId: string;
  name: string;
  onClose(): void;
}

/** Lists the users with access to a dataset, invites users and revokes access. */
export function ShareDialog({ datasetId, name, onClose }: ShareDialogProps) {
  const { t } = useTranslation();
  const [email, setEmail] = useState('');
  const { data: shares, error: unlisted } = useOperation('list_shares', { dataset_id: datasetId });
  const onSettled = useRefresh('list_shares');
  const invite = useMutation<unknown, ApiError>({
    mutationFn: () => api.invite({ dataset_id: datasetId, grant_to_user_email: email }),
    onSuccess: () => setEmail(''),
    onSettled,
  });
  const revoke = useMutation<unknown, ApiError, string>({
    mutationFn: (of) => api.revoke_share({ dataset_id: datasetId, user_email: of }),
    onSettled,
  });
  const error = invite.error ?? revoke.error ?? unlisted;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() !== '' && !invite.isPending) invite.mutate();
  };
  return (
    <Dialog open onClose={onClose} title={t('share.title', { name })} testId="share-dialog">
      <form className={form.form} onSubmit={submit}>
        <p className={form.hint}>{t('share.text')}</p>
        <div className={styles.invite}>
          <TextField
            label={t('share.email')}
            inputMode="email"
            value={email}
            autoComplete="off"
            error={error?.fields.grant_to_user_email ?? error?.detail}
            onChange={(next) => {
              setEmail(next);
              invite.reset();
            }}
            testId="share-email"
          />
          <Button kind="primary" type="submit" disabled={invite.isPending} data-testid="share-invite">
            {t('share.invite')}
          </Button>
        </div>
        <section className={form.field} aria-label={t('share.people')}>
          {shares === undefined ? (
            unlisted === null && <Skeleton style={{ height: 40 }} />
          ) : (
            <ul className={rows.list}>
              {shares.map(({ email: of, role }) => (
                <li key={of} className={rows.row} data-testid="share-row">
                  <span className={`${rows.main} ${rows.name}`} title={of}>
                    {of}
                  </span>
                  <span className={form.hint}>{t(`share.roles.${role}`)}</span>
                  {role !== 'owner' && (
                    <IconButton
                      label={t('share.revoke', { email: of })}
                      icon={<X size={14} />}
                      onClick={() => revoke.mutate(of)}
                      data-testid="share-revoke"
                    />
                  )}
                </li>
              ))}
            </ul>
          )}
        </section>
      </form>
    </Dialog>
  );
}
