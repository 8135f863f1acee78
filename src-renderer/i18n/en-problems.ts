/** Texts of what could not be used. */
export const enProblems = {
  fileErrors: {
    all: 'All',
    filter: 'Kind of problem',
    path: 'File',
    reason: 'Why it was left out',
    size: 'Size',
    list: 'Files that could not be used',
    emptyTitle: 'Every file could be read',
    emptyText: 'Nothing was left out of this dataset.',
    note: 'These files are not part of the dataset. The rest is complete.',
    kind: {
      corrupt: 'Corrupt',
      unsupported: 'Unsupported',
      too_large: 'Too large',
      unreadable: 'Unreadable',
      empty: 'Empty',
      crashed: 'Crashed the decoder',
      unsafe: 'Unsafe',
    },
  },
  annotationProblems: {
    path: 'File',
    line: 'Entry',
    reason: 'Why it could not be used',
    list: 'Annotations that could not be used',
    emptyTitle: 'Every annotation could be used',
    emptyText: 'Nothing in the annotation files was left out.',
    note: 'The images are complete; only these entries are missing. Entries are counted from 1: lines of a table, places in a list.',
  },
};
