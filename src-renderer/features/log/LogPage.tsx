import { useQuery } from '@tanstack/react-query';
import { ExternalLink, ScrollText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BridgeLogLine } from '../../../src-preload/bridge.ts';
import { Bar } from '../../components/Bar.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Page } from '../../components/Page.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { TablePage } from '../../components/TablePage.tsx';
import { VirtualTable } from '../../components/VirtualTable.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { routes } from '../../lib/routes.ts';

/** Minimum level of the listed lines, as pino numbers them. */
const LEVELS = { all: 0, warnings: 40, errors: 50 } as const;
type LevelName = keyof typeof LEVELS;
const LEVEL_NAMES = Object.keys(LEVELS) as LevelName[];
const REFRESH_MS = 2000;

/** The log of the desktop app, newest line first. */
export function LogPage() {
  const { t } = useTranslation();
  const bridge = window.vitrine;
  const [least, setLeast] = useState<LevelName>('all');
  const [text, setText] = useState('');
  const { data } = useQuery({
    queryKey: ['log'],
    queryFn: () => bridge?.readLog() ?? [],
    refetchInterval: REFRESH_MS,
  });
  const lines = useMemo(() => data && listed(data, least, text), [data, least, text]);
  return (
    <Page
      bar={
        <Bar
          title={t('log.title')}
          back={routes.inventory()}
          query={
            <>
              <SearchField label={t('log.search')} value={text} onChange={setText} />
              <Segmented
                label={t('log.level')}
                value={least}
                options={LEVEL_NAMES.map((value) => ({ value, label: t(`log.levels.${value}`) }))}
                onChange={(value) => setLeast(value)}
                testId="log-level"
              />
            </>
          }
        >
          <CopyButton text={(lines ?? []).map(textOf).join('\n')} what={t('log.lines')} />
          <IconButton
            label={t('log.open')}
            icon={<ExternalLink size={16} />}
            onClick={() => void bridge?.openLog()}
            data-testid="open-log"
          />
        </Bar>
      }
    >
      {lines?.length === 0 ? (
        <StateMessage icon={<ScrollText size={24} strokeWidth={1.5} />} title={t('log.emptyTitle')} text="" />
      ) : (
        <TablePage testId="log" note={t('log.note')} table={lines && <LogTable lines={lines} />} />
      )}
    </Page>
  );
}

function LogTable({ lines }: { lines: readonly BridgeLogLine[] }) {
  const { t } = useTranslation();
  const rows = useMemo(() => ({ at: (index: number) => lines[index], show: () => undefined }), [lines]);
  return (
    <VirtualTable
      label={t('log.title')}
      rows={rows}
      total={lines.length}
      rowTestId="log-line"
      columns={[
        { key: 'time', title: t('log.time'), width: '160px', look: 'quiet', cell: ({ time }) => formatDateTime(time) },
        { key: 'level', title: t('log.level'), width: '96px', cell: ({ level }) => t(`log.names.${nameOf(level)}`) },
        {
          key: 'message',
          title: t('log.message'),
          width: 'minmax(0, 2fr)',
          hint: ({ message }) => message,
          cell: ({ message }) => message,
        },
        {
          key: 'details',
          title: t('log.details'),
          width: 'minmax(0, 3fr)',
          look: 'quiet',
          onlyWide: true,
          hint: ({ details }) => details,
          cell: ({ details }) => details,
        },
      ]}
    />
  );
}

function listed(lines: readonly BridgeLogLine[], least: LevelName, text: string): BridgeLogLine[] {
  const sought = text.trim().toLowerCase();
  return lines
    .filter((line) => line.level >= LEVELS[least] && textOf(line).toLowerCase().includes(sought))
    .toReversed();
}

function textOf({ time, message, details }: BridgeLogLine): string {
  return `${time} ${message} ${details}`;
}

function nameOf(level: number): 'information' | 'warning' | 'error' {
  if (level >= LEVELS.errors) return 'error';
  return level >= LEVELS.warnings ? 'warning' : 'information';
}
