import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchedFolder } from '../../../src-main/contract/schemas/watched-folder.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { patternsOf, useWatchActions } from './use-watched-folders.ts';

/** Edits the ignore patterns of a watched folder. */
export function ExcludeDialog({ folder, onClose }: { folder: WatchedFolder; onClose(): void }) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState(folder.exclude.join('\n'));
  const { update } = useWatchActions(folder.dataset_id, folder);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ exclude: patternsOf(text) }, { onSuccess: onClose });
  };
  return (
    <Dialog open onClose={onClose} title={t('data.ignore')} width={440} testId="exclude-dialog">
      <form className={form.form} onSubmit={submit}>
        <div className={form.field}>
          <label htmlFor={id}>{t('data.ignoreText')}</label>
          <textarea
            id={id}
            className={form.textarea}
            value={text}
            spellCheck={false}
            data-autofocus
            placeholder={'drafts/**\n*.tmp.jpg'}
            onChange={(event) => setText(event.target.value)}
          />
          <p className={form.error} role="alert">
            {update.error?.fields.exclude ?? update.error?.detail}
          </p>
        </div>
        <footer className={form.footer}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={update.isPending}>
            {t('data.save')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
