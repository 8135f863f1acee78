import { Minus, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../lib/api.ts';
import type { ApiError } from '../lib/api-error.ts';
import { formatCount } from '../lib/format.ts';
import { useTags } from '../lib/tags.ts';
import type { Change } from '../lib/use-edits.ts';
import { Button } from './Button.tsx';
import styles from './Editor.module.css';
import { IconButton } from './IconButton.tsx';
import { Popover } from './Popover.tsx';

interface TagEditorProps {
  datasetId: string;
  icon: ReactNode;
  onEdit(change: Change): void;
}

/** Adds tags of the dataset to the selection or removes them. A new name creates a tag. */
export function TagEditor({ datasetId, icon, onEdit }: TagEditorProps) {
  const { t } = useTranslation();
  const tags = useTags(datasetId);
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const wanted = name.trim().toLocaleLowerCase();
  const shown = (tags ?? []).filter((tag) => tag.name.toLocaleLowerCase().includes(wanted));
  const known = shown.find((tag) => tag.name.toLocaleLowerCase() === wanted);
  const edit = (change: Change) => {
    setOpen(false);
    setName('');
    onEdit(change);
  };
  const create = () => {
    if (known !== undefined) return edit({ add: [known.id] });
    api.create_tag({ dataset_id: datasetId, name }).then(
      ({ id }) => edit({ add: [id] }),
      (error: ApiError) => setProblem(error.detail),
    );
  };
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t('selection.tag')}
      trigger={
        <Button icon={icon} data-testid="tag">
          {t('selection.tag')}
        </Button>
      }
      testId="tag-editor"
    >
      <input
        className={styles.find}
        value={name}
        placeholder={t('selection.tagName')}
        aria-label={t('selection.tagName')}
        autoComplete="off"
        data-testid="tag-name"
        onChange={(event) => {
          setProblem(null);
          setName(event.target.value);
        }}
        onKeyDown={(event) => event.key === 'Enter' && wanted !== '' && create()}
      />
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.list}>
        {shown.map((tag) => (
          <div key={tag.id} className={styles.row}>
            <span className={styles.name}>{tag.name}</span>
            <span className={styles.count}>{formatCount(tag.n_images + tag.n_objects)}</span>
            <IconButton
              label={t('selection.remove', { name: tag.name })}
              icon={<Minus size={14} />}
              onClick={() => edit({ remove: [tag.id] })}
            />
            <IconButton
              label={t('selection.add', { name: tag.name })}
              icon={<Plus size={14} />}
              onClick={() => edit({ add: [tag.id] })}
            />
          </div>
        ))}
        {wanted !== '' && known === undefined && (
          <Button kind="quiet" icon={<Plus size={14} />} onClick={create} data-testid="create-tag">
            {t('selection.createTag', { name: name.trim() })}
          </Button>
        )}
      </div>
    </Popover>
  );
}
