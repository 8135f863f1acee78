import { Minus, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExploredType } from '../../src-main/contract/schemas/explore.ts';
import { useLabels } from '../lib/labels.ts';
import type { Change } from '../lib/use-edits.ts';
import { Button } from './Button.tsx';
import styles from './Editor.module.css';
import { IconButton } from './IconButton.tsx';
import { Popover } from './Popover.tsx';

/** Maximum number of labels shown. Others are found by typing. */
const SHOWN = 100;

interface LabelEditorProps {
  datasetId: string;
  type: ExploredType;
  icon: ReactNode;
  onEdit(change: Change): void;
}

/** Adds labels to the selection or removes them. */
export function LabelEditor({ datasetId, type, icon, onEdit }: LabelEditorProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const labels = useLabels(datasetId, type, open) ?? [];
  const wanted = name.trim();
  const shown = labels.filter((label) => label.name.toLocaleLowerCase().includes(wanted.toLocaleLowerCase()));
  const names = shown.slice(0, SHOWN).map((label) => label.name);
  if (wanted !== '' && !names.includes(wanted)) names.unshift(wanted);
  const edit = (change: Change) => {
    setOpen(false);
    setName('');
    onEdit(change);
  };
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t('selection.label')}
      trigger={
        <Button icon={icon} data-testid="label">
          {t('selection.label')}
        </Button>
      }
      testId="label-editor"
    >
      <input
        className={styles.find}
        value={name}
        placeholder={t('selection.labelName')}
        aria-label={t('selection.labelName')}
        autoComplete="off"
        data-testid="label-name"
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && wanted !== '' && edit({ add: [wanted] })}
      />
      <div className={styles.list}>
        {names.map((label) => (
          <div key={label} className={styles.row}>
            <span className={styles.name}>{label}</span>
            <IconButton
              label={t('selection.remove', { name: label })}
              icon={<Minus size={14} />}
              onClick={() => edit({ remove: [label] })}
            />
            <IconButton
              label={t('selection.add', { name: label })}
              icon={<Plus size={14} />}
              onClick={() => edit({ add: [label] })}
            />
          </div>
        ))}
      </div>
    </Popover>
  );
}
