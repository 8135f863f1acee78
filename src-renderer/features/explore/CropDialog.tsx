import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../components/Dialog.tsx';
import { PartPicker } from '../../components/PartPicker.tsx';
import type { ImagePart } from '../../lib/visual-search.ts';
import styles from './CropDialog.module.css';

interface CropDialogProps {
  file: File;
  onPick(part: ImagePart): void;
  onClose(): void;
}

/** The query image, on which the user draws a box around the part to search for. */
export function CropDialog({ file, onPick, onClose }: CropDialogProps) {
  const { t } = useTranslation();
  const [url, setUrl] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return (
    <Dialog open onClose={onClose} title={t('visual.crop')} width={880} testId="crop-dialog">
      <div className={styles.stage}>
        {failed ? (
          <p role="alert">{t('visual.notShown')}</p>
        ) : (
          <div className={styles.image}>
            <img src={url} alt={file.name} onError={() => setFailed(true)} draggable={false} />
            <PartPicker style={{ inset: 0 }} note={t('visual.cropHint')} onPick={onPick} onCancel={onClose} />
          </div>
        )}
      </div>
    </Dialog>
  );
}
