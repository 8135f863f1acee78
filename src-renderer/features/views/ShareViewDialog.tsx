import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LONGEST_MESSAGE, type View } from '../../../src-main/contract/schemas/view.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';

/** Alerts a user of the dataset about a view, with a message. */
export function ShareViewDialog({ view, onClose }: { view: View; onClose(): void }) {
  const { t } = useTranslation();
  const id = useId();
  const [email, setEmail] = useState('');
  const [message, setMessage] = useState('');
  const share = useMutation<unknown, ApiError>({
    mutationFn: () =>
      api.share_view({ dataset_id: view.dataset_id, view_id: view.id, user_email: email.trim(), message }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() !== '' && !share.isPending) share.mutate();
  };
  if (share.isSuccess) {
    return (
      <Dialog open onClose={onClose} title={t('views.shareTitle', { name: view.name })} width={420}>
        <div className={form.form}>
          <p role="status" data-testid="view-shared">
            {t('views.shared', { email: email.trim() })}
          </p>
          <footer className={form.footer}>
            <Button kind="primary" onClick={onClose} data-autofocus>
              {t('common.close')}
            </Button>
          </footer>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('views.shareTitle', { name: view.name })}
      width={420}
      testId="share-view-dialog"
    >
      <form className={form.form} onSubmit={submit}>
        <p className={form.hint}>{t('views.shareText')}</p>
        <div className={form.field}>
          <label htmlFor={id}>{t('share.email')}</label>
          <input
            id={id}
            className={form.input}
            type="text"
            inputMode="email"
            value={email}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={share.error !== null}
            aria-describedby={`${id}-error`}
            onChange={(event) => {
              setEmail(event.target.value);
              share.reset();
            }}
            data-autofocus
            data-testid="share-view-email"
          />
          <p id={`${id}-error`} className={form.error} role="alert">
            {share.error?.fields.user_email ?? share.error?.detail}
          </p>
        </div>
        <div className={form.field}>
          <label htmlFor={`${id}-message`}>{t('views.message')}</label>
          <textarea
            id={`${id}-message`}
            className={`${form.textarea} ${form.prose}`}
            value={message}
            maxLength={LONGEST_MESSAGE}
            onChange={(event) => setMessage(event.target.value)}
            data-testid="share-view-message"
          />
        </div>
        <footer className={form.footer}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            kind="primary"
            type="submit"
            disabled={email.trim() === '' || share.isPending}
            data-testid="share-view-submit"
          >
            {t('views.shareSubmit')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
