import { useTranslation } from 'react-i18next';
import type { Edit } from '../../src-main/contract/schemas/edit.ts';

/** Names an edit: what was changed, and how many items. */
export function useEditWords(): (edit: Edit) => string {
  const { t } = useTranslation();
  return (edit) => {
    const signed = [...edit.added.map((name) => `+${name}`), ...edit.removed.map((name) => `−${name}`)];
    const names =
      edit.kind === 'CAPTION' || edit.kind === 'CUSTOM_METADATA'
        ? edit.added.join(': ')
        : edit.kind === 'TAG_DELETION'
          ? edit.removed.join(', ')
          : signed.join(', ');
    const words = t(`selection.done.${edit.kind}`, { count: edit.n_changed, names });
    return edit.kind === 'REVIEW' && names !== '' ? `${words}: ${names}` : words;
  };
}
