import { Columns3, Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/IconButton.tsx';
import { Menu, MenuItem, MenuSeparator, MenuToggle } from '../../../components/Menu.tsx';
import { usePreferences } from '../../../lib/preferences.ts';
import type { Place } from '../../../lib/routes.ts';
import { HIDDEN_AT_FIRST } from './columns.ts';
import { useColumns } from './use-columns.ts';
import { useCopyRows } from './use-copy-rows.ts';

/** Chooses the columns of the table, which this browser remembers, and copies rows. */
export function ColumnsMenu({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const { all } = useColumns(datasetId, place);
  const { hiddenColumns: hidden = HIDDEN_AT_FIRST, set } = usePreferences();
  const copy = useCopyRows(datasetId, place);
  const toggle = (key: string) =>
    set({ hiddenColumns: hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key] });
  return (
    <Menu trigger={<IconButton label={t('table.columns')} icon={<Columns3 size={16} />} data-testid="columns" />}>
      <MenuItem icon={<Copy size={14} />} onSelect={() => copy()} data-testid="copy-rows">
        {t('table.copy')}
      </MenuItem>
      <MenuSeparator />
      {all.slice(1).map(({ key, title }) => (
        <MenuToggle key={key} checked={!hidden.includes(key)} onChange={() => toggle(key)} testId={`show-${key}`}>
          {title}
        </MenuToggle>
      ))}
    </Menu>
  );
}
