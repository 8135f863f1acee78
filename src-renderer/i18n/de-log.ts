import type { enLog } from './en-log.ts';

export const deLog: typeof enLog = {
  log: {
    title: 'Protokoll',
    search: 'Im Protokoll suchen',
    level: 'Stufe',
    levels: { all: 'Alle', warnings: 'Warnungen', errors: 'Fehler' },
    names: { information: 'Information', warning: 'Warnung', error: 'Fehler' },
    time: 'Zeit',
    message: 'Meldung',
    details: 'Einzelheiten',
    lines: 'die gezeigten Zeilen',
    open: 'Datei öffnen',
    note: 'Die letzten Zeilen des Protokolls, die neueste zuerst. Sie können Pfade und Namen enthalten; „Diagnose kopieren“ im Menü Hilfe enthält keine.',
    emptyTitle: 'Keine Zeilen',
  },
};
