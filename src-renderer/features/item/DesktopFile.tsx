import { Copy, FolderOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { useNotices } from '../../lib/notices.ts';
import styles from './Details.module.css';

/**
 * In the desktop app, the item's file itself: shown in the file manager, its real path copied, or dragged to another program by the link
 * inside. Elsewhere the link alone.
 */
export function DesktopFile({ address, link }: { address: string; link: (onDragStart?: () => void) => ReactNode }) {
  const { t } = useTranslation();
  const notice = useNotices((state) => state.show);
  const bridge = window.vitrine;
  if (bridge === undefined) return link();
  const run = async (action: 'reveal' | 'copy_path' | 'drag'): Promise<void> => {
    const isFile = await bridge.itemFile(action, address);
    if (!isFile) notice({ key: 'item-file', text: t('item.noFile'), isBrief: true });
    else if (action === 'copy_path') notice({ key: 'item-file', text: t('item.pathCopied'), isBrief: true });
  };
  return (
    <>
      {link(() => void run('drag'))}
      <div className={styles.fileActions}>
        <Button
          kind="quiet"
          icon={<FolderOpen size={14} />}
          onClick={() => void run('reveal')}
          data-testid="reveal-file"
        >
          {t('item.reveal')}
        </Button>
        <Button kind="quiet" icon={<Copy size={14} />} onClick={() => void run('copy_path')} data-testid="copy-path">
          {t('item.copyPath')}
        </Button>
      </div>
    </>
  );
}
