import { Shapes, Tag } from 'lucide-react';
import type { MetadataField } from '../../../../src-main/contract/schemas/custom-metadata.ts';
import type { ExploredType } from '../../../../src-main/contract/schemas/explore.ts';
import type { ListedItem } from '../../../../src-main/contract/schemas/facets.ts';
import { LabelEditor } from '../../../components/LabelEditor.tsx';
import { TagEditor } from '../../../components/TagEditor.tsx';
import { chosenItem } from '../../../lib/selection.ts';
import type { Edits } from '../../../lib/use-edits.ts';
import type { ItemColumn } from './columns.ts';
import { ValueEditor } from './ValueEditor.tsx';

interface CellEditorProps {
  datasetId: string;
  type: ExploredType;
  item: ListedItem;
  column: ItemColumn;
  edits: Edits;
  onClose(): void;
}

/** Edits what a cell shows, by the edits that the history can undo. */
export function CellEditor({ datasetId, type, item, column, edits, onClose }: CellEditorProps) {
  const { edit, title } = column;
  const selected = [chosenItem(item.media_id).part];
  const state: [boolean, (open: boolean) => void] = [true, (open) => open || onClose()];
  if (edit === 'tag') {
    return (
      <TagEditor
        datasetId={datasetId}
        icon={<Tag size={14} />}
        state={state}
        onEdit={(change) => edits.tag(selected, change)}
      />
    );
  }
  if (edit === 'label') {
    return (
      <LabelEditor
        datasetId={datasetId}
        type={type}
        icon={<Shapes size={14} />}
        state={state}
        onEdit={(change) => edits.label(selected, change)}
      />
    );
  }
  if (edit === 'caption') {
    return (
      <ValueEditor
        label={title}
        initial={item.caption ?? ''}
        onSave={(text) => edits.caption(selected, text === '' ? null : text)}
        onClose={onClose}
      />
    );
  }
  if (edit === undefined) return null;
  const { field } = edit;
  return (
    <ValueEditor
      label={title}
      initial={column.plain?.(item) ?? ''}
      isNumber={field.field_type === 'float'}
      {...(field.field_type === 'enum' && !field.is_multi && { options: field.enum_options })}
      onSave={(text) => edits.field(selected, field.field_name, valueFrom(text, field))}
      onClose={onClose}
    />
  );
}

/** The value that an entered text means. The server refuses one that the field cannot have. */
function valueFrom(text: string, { field_type, is_multi }: MetadataField): string | number | string[] | null {
  if (text === '') return null;
  if (is_multi) return text.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
  if (field_type !== 'float') return text;
  const number = Number(text.replace(',', '.'));
  return Number.isNaN(number) ? text : number;
}
