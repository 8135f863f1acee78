import { Bookmark, BookmarkCheck, BookmarkPlus, List } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../components/Menu.tsx';
import { useMayOn } from '../../lib/datasets.ts';
import { navigate } from '../../lib/location.ts';
import { useOpenedViews } from '../../lib/opened-views.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { useSaveViewRequest } from '../../lib/save-view-request.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { isPlaceOf, placeOfView } from '../../lib/view-place.ts';
import { UpdateView } from './UpdateView.tsx';

/** Maximum number of views in the menu. The views page lists all. */
const LISTED = 12;

/** The saved views of a dataset: open one, update the last one, or save the current query. */
export function ViewsMenu({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const save = useSaveViewRequest((request) => request.open);
  const [updating, setUpdating] = useState(false);
  const { ids, open } = useOpenedViews();
  const may = useMayOn(datasetId);
  const { data } = useOperation('list_views', { dataset_id: datasetId });
  const views = data?.views ?? [];
  const shown = views.find((view) => isPlaceOf(view, place));
  const others = views.filter((view) => view !== shown);
  const listed = [...(shown === undefined ? [] : [shown]), ...others].slice(0, LISTED);
  const last = shown === undefined ? views.find(({ id }) => id === ids[datasetId]) : undefined;
  const go = (id: string) => {
    const view = views.find((one) => one.id === id);
    if (view === undefined) return;
    open(datasetId, id);
    navigate(routes.explore(datasetId, placeOfView(view)));
  };
  return (
    <>
      <Menu trigger={<IconButton label={t('views.open')} icon={<Bookmark size={16} />} data-testid="open-views" />}>
        {listed.length > 0 && (
          <>
            <MenuChoice
              value={shown?.id ?? ''}
              options={listed.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={go}
            />
            <MenuSeparator />
          </>
        )}
        {last !== undefined && may('set_view_query') && (
          <MenuItem icon={<BookmarkCheck size={14} />} onSelect={() => setUpdating(true)} data-testid="update-view">
            {t('views.update', { name: last.name })}
          </MenuItem>
        )}
        {may('create_view') && (
          <MenuItem icon={<BookmarkPlus size={14} />} onSelect={save} data-testid="save-as-view">
            {t('views.saveAs')}
          </MenuItem>
        )}
        <MenuItem icon={<List size={14} />} onSelect={() => navigate(routes.views(datasetId))} data-testid="all-views">
          {t('views.all')}
        </MenuItem>
      </Menu>
      {updating && last !== undefined && <UpdateView view={last} place={place} onClose={() => setUpdating(false)} />}
    </>
  );
}
