import { useTranslation } from 'react-i18next';
import type { FileError } from '../../../src-main/contract/schemas/dataset.ts';
import { PathCell } from '../../components/PathCell.tsx';
import { VirtualTable } from '../../components/VirtualTable.tsx';
import { formatBytes } from '../../lib/format.ts';
import { messageText } from '../../lib/message-text.ts';
import type { Paged } from '../../lib/use-paged.ts';
import styles from './FileErrorsPage.module.css';

/** Skipped files, one per row. */
export function FileErrorRows({ errors, total }: { errors: Paged<FileError>; total: number }) {
  const { t } = useTranslation();
  return (
    <VirtualTable
      label={t('fileErrors.list')}
      rows={errors}
      total={total}
      rowTestId="file-error-row"
      columns={[
        {
          key: 'path',
          title: t('fileErrors.path'),
          width: 'minmax(0, 2fr)',
          hint: (error) => error.file_path,
          cell: (error) => <PathCell path={error.file_path} />,
        },
        {
          key: 'reason',
          title: t('fileErrors.reason'),
          width: 'minmax(0, 3fr)',
          look: 'quiet',
          hint: (error) => messageText(error.problem),
          cell: (error) => (
            <>
              <span className={styles.what}>{t(`fileErrors.kind.${error.kind}`)}</span>
              {messageText(error.problem)}
            </>
          ),
        },
        {
          key: 'size',
          title: t('fileErrors.size'),
          width: '88px',
          look: 'number',
          onlyWide: true,
          cell: (error) => (error.size_bytes === null ? '' : formatBytes(error.size_bytes)),
        },
      ]}
    />
  );
}
