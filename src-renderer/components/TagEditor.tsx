import { type ReactNode, useState } from 'react';
import { api } from '../lib/api.ts';
import { useTags } from '../lib/tags.ts';
import type { Change } from '../lib/use-edits.ts';
import { NameEditor } from './NameEditor.tsx';

interface TagEditorProps {
  datasetId: string;
  icon: ReactNode;
  /** Key that opens the editor. */
  shortcut?: string;
  /** Key to name on the button, if the caller handles the key and the state. */
  hint?: string;
  state?: [open: boolean, onOpenChange: (open: boolean) => void];
  onEdit(change: Change): void;
}

/** Adds tags of the dataset to the selection or removes them. A new name creates a tag. */
export function TagEditor({ datasetId, icon, shortcut, hint, state, onEdit }: TagEditorProps) {
  const own = useState(false);
  const [open, setOpen] = state ?? own;
  const tags = useTags(datasetId) ?? [];
  return (
    <NameEditor
      kind="tag"
      icon={icon}
      open={open}
      onOpenChange={setOpen}
      shortcut={shortcut}
      hint={hint}
      choices={tags.map(({ id, name, n_images, n_objects }) => ({ id, name, count: n_images + n_objects }))}
      fold={(name) => name.toLocaleLowerCase()}
      create={async (name) => (await api.create_tag({ dataset_id: datasetId, name })).id}
      onEdit={onEdit}
    />
  );
}
