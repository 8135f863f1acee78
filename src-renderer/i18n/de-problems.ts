import type { enProblems } from './en-problems.ts';

export const deProblems: typeof enProblems = {
  fileErrors: {
    all: 'Alle',
    filter: 'Art des Problems',
    path: 'Datei',
    reason: 'Grund',
    size: 'Größe',
    list: 'Übersprungene Dateien',
    emptyTitle: 'Alle Dateien wurden importiert',
    emptyText: 'Keine Datei dieses Datensatzes wurde übersprungen.',
    note: 'Diese Dateien gehören nicht zum Datensatz. Alle anderen Dateien wurden importiert.',
    kind: {
      corrupt: 'Beschädigt',
      unsupported: 'Nicht unterstützt',
      too_large: 'Zu groß',
      unreadable: 'Unlesbar',
      empty: 'Leer',
      crashed: 'Decoder abgestürzt',
      unsafe: 'Unsicher',
    },
  },
  annotationProblems: {
    path: 'Datei',
    line: 'Eintrag',
    reason: 'Grund',
    list: 'Übersprungene Annotationen',
    emptyTitle: 'Alle Annotationen wurden importiert',
    emptyText: 'Kein Eintrag der Annotationsdateien wurde übersprungen.',
    note: 'Alle Bilder wurden importiert. Nur diese Einträge fehlen. Einträge werden ab 1 gezählt: Zeilen einer Tabelle, Positionen in einer Liste.',
  },
};
