import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../lib/format.ts';
import { useNotices } from '../../lib/notices.ts';
import { isUnderWay, useExports, useStartedExports } from './use-exports.ts';

/** Follows the exports that were started in this window: shows their progress, and downloads each when it is finished. */
export function StartedExports() {
  const started = useStartedExports((state) => state.started);
  return started.map(({ id, datasetId }) => <Followed key={id} id={id} datasetId={datasetId} />);
}

function Followed({ id, datasetId }: { id: string; datasetId: string }) {
  const { t } = useTranslation();
  const forget = useStartedExports((state) => state.forget);
  const { show, close } = useNotices();
  const made = useExports(datasetId)?.find((one) => one.id === id);
  useEffect(() => {
    if (made === undefined) return;
    const { file_name: name, download_uri: uri } = made;
    if (isUnderWay(made)) {
      show({ key: id, text: t('exports.working', { name }), percent: made.status === 'INIT' ? null : made.progress });
      return;
    }
    forget(id);
    if (uri === null) {
      if (made.is_stopped) close(id);
      else show({ key: id, text: t('exports.failed', { name, reason: made.result_message ?? '' }) });
      return;
    }
    download(uri);
    show({
      key: id,
      text: t('exports.downloaded', { name, size: formatBytes(made.size_bytes ?? 0) }),
      action: { label: t('exports.again'), run: () => download(uri) },
    });
  }, [made, id, t, show, close, forget]);
  return null;
}

/** Saves a file as a click on its link does: where the browser saves downloads. */
function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.rel = 'noopener noreferrer';
  link.click();
}
