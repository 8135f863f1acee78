import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchedFolder } from '../../../src-main/contract/schemas/watched-folder.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { patternsOf, useWatchActions } from './use-watched-folders.ts';

/** Edits the ignore patterns of a watched folder. */
export function IgnoreDialog({ folder, onClose }: { folder: WatchedFolder; onClose(): void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(folder.exclude.join('\n'));
  const { update } = useWatchActions(folder.dataset_id, folder);
  return (
    <Dialog open onClose={onClose} title={t('data.ignore')} width={440} testId="exclude-dialog">
      <Form
        submit={t('data.save')}
        isPending={update.isPending}
        error={update.error?.fields.exclude ?? update.error?.detail}
        onSubmit={() => update.mutate({ exclude: patternsOf(text) }, { onSuccess: onClose })}
        onCancel={onClose}
      >
        <TextArea
          label={t('data.ignoreText')}
          value={text}
          spellCheck={false}
          placeholder={'drafts/**\n*.tmp.jpg'}
          onChange={setText}
          data-autofocus
        />
      </Form>
    </Dialog>
  );
}
