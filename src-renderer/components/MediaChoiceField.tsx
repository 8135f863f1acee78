import { FolderOpen, Upload } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { MediaChoice } from '../lib/use-media-choice.ts';
import { FilesField } from './FilesField.tsx';
import { LocationField } from './LocationField.tsx';
import { Segmented } from './Segmented.tsx';
import { UploadStatus } from './UploadStatus.tsx';

interface MediaChoiceFieldProps {
  choice: MediaChoice;
  error: string | undefined;
  busy: boolean;
  /** Only files can be chosen, no location. */
  filesOnly?: boolean;
  /** Shown instead of the files during the upload. */
  upload: ComponentProps<typeof UploadStatus> | null;
  locationTestId: string;
  onChange(change: Parameters<MediaChoice['change']>[0]): void;
}

/** Asks for a location or files. Shows progress during the upload. */
export function MediaChoiceField(props: MediaChoiceFieldProps) {
  const { choice, error, busy, filesOnly = false, upload, locationTestId, onChange } = props;
  const { t } = useTranslation();
  return (
    <>
      {!filesOnly && (
        <Segmented
          label={t('source.label')}
          value={choice.mode}
          disabled={busy}
          onChange={(mode) => onChange({ mode })}
          options={[
            { value: 'location', label: t('source.byLocation'), icon: <FolderOpen size={14} /> },
            { value: 'files', label: t('source.byUpload'), icon: <Upload size={14} /> },
          ]}
        />
      )}
      {choice.mode === 'location' ? (
        <LocationField
          location={choice.location}
          takes="any"
          testId={locationTestId}
          error={error}
          onChange={(location) => onChange({ location })}
        />
      ) : upload !== null ? (
        <UploadStatus {...upload} />
      ) : (
        <FilesField files={choice.files} error={error} onChange={(files) => onChange({ files })} />
      )}
    </>
  );
}
