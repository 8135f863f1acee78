import { Database, Ellipsis, History, Share2, Sparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem } from '../../components/Menu.tsx';
import { navigate } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { useSnapshotsRequest } from '../../lib/snapshots-request.ts';

/** What else can be done with a dataset: there is no room for a button each. */
export function MoreMenu({ datasetId, onShare }: { datasetId: string; onShare(): void }) {
  const { t } = useTranslation();
  return (
    <Menu trigger={<IconButton label={t('explore.more')} icon={<Ellipsis size={16} />} data-testid="more" />}>
      <MenuItem icon={<Database size={14} />} onSelect={() => navigate(routes.data(datasetId))} data-testid="open-data">
        {t('data.open')}
      </MenuItem>
      <MenuItem
        icon={<History size={14} />}
        onSelect={() => useSnapshotsRequest.getState().open(datasetId)}
        data-testid="open-snapshots"
      >
        {t('snapshots.open')}
      </MenuItem>
      <MenuItem
        icon={<Sparkles size={14} />}
        onSelect={() => navigate(routes.enrich(datasetId))}
        data-testid="open-enrich"
      >
        {t('enrich.open')}
      </MenuItem>
      <MenuItem icon={<Share2 size={14} />} onSelect={onShare} data-testid="open-share">
        {t('share.action')}
      </MenuItem>
    </Menu>
  );
}
