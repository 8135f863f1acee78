import { Minus, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asApiError } from '../lib/api-error.ts';
import { formatCount } from '../lib/format.ts';
import type { Change } from '../lib/use-edits.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { Button } from './Button.tsx';
import { IconButton } from './IconButton.tsx';
import styles from './NameEditor.module.css';
import { Popover } from './Popover.tsx';
import { useRestoredFocus } from './use-restored-focus.ts';

/** Maximum number of names shown. Others are found by typing. */
const SHOWN = 100;

interface NamedChoice {
  id: string;
  name: string;
  count?: number;
}

interface NameEditorProps {
  kind: 'tag' | 'label';
  icon: ReactNode;
  open: boolean;
  onOpenChange(open: boolean): void;
  /** Key that opens the editor. */
  shortcut?: string | undefined;
  /** Key to name on the button, if the caller handles the key. */
  hint?: string | undefined;
  choices: readonly NamedChoice[];
  /** Makes names comparable: equal results are the same name. */
  fold(name: string): string;
  /** Creates a name that is none of the choices and returns its id. */
  create(name: string): Promise<string>;
  onEdit(change: Change): void;
}

/** A popover that adds tags or labels to the selection or removes them. A new name can be created. */
export function NameEditor(props: NameEditorProps) {
  const { kind, icon, open, onOpenChange, shortcut, hint = shortcut, choices, fold, create, onEdit } = props;
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const focus = useRestoredFocus();
  const typed = text.trim();
  const shown = choices.filter(({ name }) => name.toLocaleLowerCase().includes(typed.toLocaleLowerCase()));
  const known = choices.find(({ name }) => fold(name) === fold(typed));
  const edit = (change: Change) => {
    onOpenChange(false);
    setText('');
    onEdit(change);
  };
  const add = () => {
    if (known !== undefined) return edit({ add: [known.id] });
    create(typed).then(
      (id) => edit({ add: [id] }),
      (failure: unknown) => setProblem(asApiError(failure).detail),
    );
  };
  const label = t(`selection.${kind}`);
  useShortcut(shortcut ?? '', () => onOpenChange(true), shortcut !== undefined);
  return (
    <Popover
      open={open}
      onOpenChange={onOpenChange}
      label={label}
      focus={focus}
      trigger={
        <Button
          icon={icon}
          title={hint === undefined ? undefined : `${label} (${hint.toUpperCase()})`}
          data-testid={kind}
        >
          {label}
        </Button>
      }
      testId={`${kind}-editor`}
    >
      <input
        className={styles.find}
        value={text}
        placeholder={t(`selection.${kind}Name`)}
        aria-label={t(`selection.${kind}Name`)}
        autoComplete="off"
        data-testid={`${kind}-name`}
        onChange={(event) => {
          setProblem(null);
          setText(event.target.value);
        }}
        onKeyDown={(event) => event.key === 'Enter' && typed !== '' && add()}
      />
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.list}>
        {shown.slice(0, SHOWN).map(({ id, name, count }) => (
          <div key={id} className={styles.row}>
            <span className={styles.name}>{name}</span>
            {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
            <IconButton
              label={t('selection.remove', { name })}
              icon={<Minus size={14} />}
              onClick={() => edit({ remove: [id] })}
            />
            <IconButton
              label={t('selection.add', { name })}
              icon={<Plus size={14} />}
              onClick={() => edit({ add: [id] })}
            />
          </div>
        ))}
        {typed !== '' && known === undefined && (
          <Button kind="quiet" icon={<Plus size={14} />} onClick={add} data-testid={`create-${kind}`}>
            {t('selection.create', { name: typed })}
          </Button>
        )}
      </div>
    </Popover>
  );
}
