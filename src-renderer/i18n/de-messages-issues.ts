import type { ISSUE_MESSAGES } from '../../src-main/contract/issue-messages.ts';

/** German descriptions of issues. */
export const deIssueMessages = {
  issue_mislabels: 'Die ähnlichsten Elemente haben ein anderes Label',
  issue_label_outlier: 'Anders als die übrigen Elemente mit diesem Label',
  issue_outliers: 'Anders als alle übrigen Elemente',
  issue_duplicates: 'Ein anderes Element zeigt dasselbe Bild',
  issue_blur: 'Kanten sind weich oder durch Bewegung verwischt, oder es gibt kaum Einzelheiten',
  issue_dark: 'Selbst die hellsten Stellen sind dunkel',
  issue_bright: 'Große Teile sind überbelichtet, oder fast alles ist nahezu weiß',
  issue_low_information: 'Fast ohne Inhalt',
  issue_odd_size: 'Viel größer oder kleiner als die meisten',
  issue_odd_aspect_ratio: 'Eine Seite ist viel länger als die andere',
  issue_suggests: '{{issue}}: {{label}}',
  issue_by_appearance:
    '{{issue}}. Nachbarn werden nur nach Aussehen verglichen, was wenig über den Inhalt sagt. Semantische Embeddings machen das zuverlässiger.',
} as const satisfies Record<keyof typeof ISSUE_MESSAGES, string>;
