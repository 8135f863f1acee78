import type { enIssues } from './en-issues.ts';

export const deIssues: typeof enIssues = {
  objects: {
    confidence: 'Konfidenz',
    atLeast: 'ab {{percent}} oder annotiert',
    change: 'Mindestkonfidenz der von Modellen gefundenen Objekte ändern',
  },
  issues: {
    title: 'Auffälligkeiten',
    names: {
      mislabels: 'Falsches Label',
      label_outlier: 'Ausreißer der Klasse',
      outliers: 'Ausreißer',
      duplicates: 'Duplikate',
      blur: 'Unscharf',
      dark: 'Dunkel',
      bright: 'Überbelichtet',
      low_information: 'Wenig Inhalt',
      odd_size: 'Ungewöhnliche Größe',
      odd_aspect_ratio: 'Ungewöhnliches Seitenverhältnis',
      normal: 'Nicht auffällig',
    },
    relabel: 'Label in {{label}} ändern',
    alsoLabel: 'Label {{label}} hinzufügen',
    confirm: 'Label bestätigen',
    confirmHint: 'Bestätigt, dass das Label stimmt, sodass es nicht mehr gemeldet wird',
    confidence: 'Konfidenz',
    change: 'Filter der Auffälligkeit ändern',
    without: 'nicht {{name}}',
    atLeast: 'ab {{confidence}}',
    modes: { in: 'Auffällig', out: 'Nicht auffällig' },
    minConfidence: 'Mindestkonfidenz',
    showAll: 'Alle Elemente mit dieser Auffälligkeit zeigen',
  },
};
