import { Database, Ellipsis, EyeOff, History, Share2, Sparkles, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem } from '../../components/Menu.tsx';
import { useIsShared, useMay } from '../../lib/account.ts';
import { useEditsRequest } from '../../lib/edits-request.ts';
import { navigate } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { useSnapshotsRequest } from '../../lib/snapshots-request.ts';

/** Menu of the dataset actions that have no button. */
export function MoreMenu({ dataset, onShare }: { dataset: Dataset; onShare(): void }) {
  const { t } = useTranslation();
  const may = useMay();
  // Without sign-in, nobody else has an account.
  const isShared = useIsShared();
  return (
    <Menu trigger={<IconButton label={t('explore.more')} icon={<Ellipsis size={16} />} data-testid="more" />}>
      <MenuItem
        icon={<Database size={14} />}
        onSelect={() => navigate(routes.data(dataset.id))}
        data-testid="open-data"
      >
        {t('data.open')}
      </MenuItem>
      {may('list_edits', dataset) && (
        <MenuItem
          icon={<Undo2 size={14} />}
          onSelect={() => useEditsRequest.getState().open(dataset.id)}
          data-testid="open-edits"
        >
          {t('edits.open')}
        </MenuItem>
      )}
      <MenuItem
        icon={<EyeOff size={14} />}
        onSelect={() => navigate(routes.excluded(dataset.id))}
        data-testid="open-excluded"
      >
        {t('excluded.open')}
      </MenuItem>
      {may('list_snapshots', dataset) && (
        <MenuItem
          icon={<History size={14} />}
          onSelect={() => useSnapshotsRequest.getState().open(dataset.id)}
          data-testid="open-snapshots"
        >
          {t('snapshots.open')}
        </MenuItem>
      )}
      {may('enrich_dataset', dataset) && (
        <MenuItem
          icon={<Sparkles size={14} />}
          onSelect={() => navigate(routes.enrich(dataset.id))}
          data-testid="open-enrich"
        >
          {t('enrich.open')}
        </MenuItem>
      )}
      {isShared && may('invite', dataset) && (
        <MenuItem icon={<Share2 size={14} />} onSelect={onShare} data-testid="open-share">
          {t('share.action')}
        </MenuItem>
      )}
    </Menu>
  );
}
