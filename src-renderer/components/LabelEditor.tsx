import { type ReactNode, useState } from 'react';
import type { ExploredType } from '../../src-main/contract/schemas/explore.ts';
import { useLabels } from '../lib/labels.ts';
import type { Change } from '../lib/use-edits.ts';
import { NameEditor } from './NameEditor.tsx';

interface LabelEditorProps {
  datasetId: string;
  type: ExploredType;
  icon: ReactNode;
  /** Key that opens the editor. */
  shortcut?: string;
  /** Key to name on the button, if the caller handles the key and the state. */
  hint?: string;
  state?: [open: boolean, onOpenChange: (open: boolean) => void];
  onEdit(change: Change): void;
}

/** Adds labels to the selection or removes them. Any name can be a label. */
export function LabelEditor({ datasetId, type, icon, shortcut, hint, state, onEdit }: LabelEditorProps) {
  const own = useState(false);
  const [open, setOpen] = state ?? own;
  const labels = useLabels(datasetId, type, open) ?? [];
  return (
    <NameEditor
      kind="label"
      icon={icon}
      open={open}
      onOpenChange={setOpen}
      shortcut={shortcut}
      hint={hint}
      choices={labels.map(({ name }) => ({ id: name, name }))}
      fold={(name) => name}
      create={async (name) => name}
      onEdit={onEdit}
    />
  );
}
