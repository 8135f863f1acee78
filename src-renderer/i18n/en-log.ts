/** Texts of the log of the desktop app. */
export const enLog = {
  log: {
    title: 'Log',
    search: 'Find in the log',
    level: 'Level',
    levels: { all: 'All', warnings: 'Warnings', errors: 'Errors' },
    names: { information: 'Information', warning: 'Warning', error: 'Error' },
    time: 'Time',
    message: 'Message',
    details: 'Details',
    lines: 'the listed lines',
    open: 'Open the file',
    note: 'The last lines of the log, newest first. They may contain paths and names; “Copy Diagnostics” in the menu Help does not.',
    emptyTitle: 'No lines',
  },
};
