import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Workspace } from '../../../src-main/contract/schemas/workspace.ts';
import styles from '../../components/Form.module.css';

interface WorkspaceFieldProps {
  workspaces: readonly Workspace[];
  value: string;
  disabled: boolean;
  onChange(workspaceId: string): void;
}

/** The workspace whose members share a new dataset. */
export function WorkspaceField({ workspaces, value, disabled, onChange }: WorkspaceFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t('newDataset.workspace')}</label>
      <select
        id={id}
        className={styles.input}
        value={value}
        disabled={disabled}
        aria-describedby={`${id}-hint`}
        data-testid="dataset-workspace"
        onChange={(event) => onChange(event.target.value)}
      >
        {workspaces.map((workspace) => (
          <option key={workspace.id} value={workspace.id}>
            {workspace.name}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className={styles.hint}>
        {t('newDataset.workspaceHint')}
      </p>
    </div>
  );
}
