/** Texts of files and annotations that were skipped. */
export const enProblems = {
  fileErrors: {
    all: 'All',
    filter: 'Kind of problem',
    path: 'File',
    reason: 'Reason',
    size: 'Size',
    list: 'Skipped files',
    emptyTitle: 'All files were imported',
    emptyText: 'No file of this dataset was skipped.',
    note: 'These files are not part of the dataset. All other files were imported.',
    kind: {
      corrupt: 'Corrupt',
      unsupported: 'Unsupported',
      too_large: 'Too large',
      unreadable: 'Unreadable',
      empty: 'Empty',
      crashed: 'Decoder crashed',
      unsafe: 'Unsafe',
    },
  },
  annotationProblems: {
    path: 'File',
    line: 'Entry',
    reason: 'Reason',
    list: 'Skipped annotations',
    emptyTitle: 'All annotations were imported',
    emptyText: 'No entry of the annotation files was skipped.',
    note: 'All images were imported. Only these entries are missing. Entries are counted from 1: lines of a table, positions in a list.',
  },
};
