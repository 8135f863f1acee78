import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LONGEST_MESSAGE, type View } from '../../../src-main/contract/schemas/view.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Form } from '../../components/Form.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';

/** Alerts a user of the dataset about a view, with a message. */
export function ShareViewDialog({ view, onClose }: { view: View; onClose(): void }) {
  const { t } = useTranslation();
  const [email, setEmail] = useState('');
  const [message, setMessage] = useState('');
  const share = useMutation<unknown, ApiError>({
    mutationFn: () =>
      api.share_view({ dataset_id: view.dataset_id, view_id: view.id, user_email: email.trim(), message }),
  });
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
      <Form
        submit={t('views.shareSubmit')}
        isPending={share.isPending}
        isComplete={email.trim() !== ''}
        onSubmit={() => share.mutate()}
        onCancel={onClose}
        testId="share-view-submit"
      >
        <p className={form.hint}>{t('views.shareText')}</p>
        <TextField
          label={t('share.email')}
          inputMode="email"
          value={email}
          autoComplete="off"
          error={share.error?.fields.user_email ?? share.error?.detail}
          onChange={(next) => {
            setEmail(next);
            share.reset();
          }}
          data-autofocus
          testId="share-view-email"
        />
        <TextArea
          label={t('views.message')}
          value={message}
          maxLength={LONGEST_MESSAGE}
          onChange={setMessage}
          prose
          testId="share-view-message"
        />
      </Form>
    </Dialog>
  );
}
