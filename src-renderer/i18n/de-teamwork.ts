import type { enTeamwork } from './en-teamwork.ts';

/** German texts of comments and assignments. */
export const deTeamwork: typeof enTeamwork = {
  comments: {
    title: 'Kommentare',
    add: 'Neuer Kommentar',
    hint: 'Kommentar schreiben',
    hintShared: 'Kommentar schreiben; @ erwähnt jemanden',
    submit: 'Kommentieren',
    edit: 'Kommentar bearbeiten',
    save: 'Kommentar speichern',
    delete: 'Kommentar löschen',
    edited: 'bearbeitet',
  },
  assign: {
    action: 'Zuweisen',
    title: 'Elemente zuweisen',
    text: 'Die Person wird benachrichtigt und findet die Elemente unter „Mir zugewiesen“.',
    person: 'Person',
    choose: 'Person wählen',
    name: 'Titel',
    note: 'Notiz',
    submit: 'Elemente zuweisen',
    done: '„{{title}}“ ist {{email}} zugewiesen',
  },
  assigned: {
    title: 'Zugewiesene Elemente',
    own: 'Mir zugewiesen',
    others: 'Von mir zugewiesen',
    open_one: '{{count, number}} offen',
    open_other: '{{count, number}} offen',
    by: 'zugewiesen von {{who}}',
    to: 'zugewiesen an {{who}}',
    done: 'erledigt',
    finish: 'Als erledigt markieren',
    reopen: 'Wieder öffnen',
    delete: 'Zuweisung löschen',
    none: { own: 'Ihnen ist nichts zugewiesen', others: 'Sie haben nichts zugewiesen' },
    hint: 'Elemente werden im Explorer zugewiesen: wählen Sie einige aus und dann „Zuweisen“.',
  },
};
