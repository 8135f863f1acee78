/** Texts of the audit log. */
export const enAudit = {
  audit: {
    title: 'Audit log',
    open: 'Who did what, and when',
    note: 'Sign-ins, changes of users and roles, shares, exports, deletions and settings. Newest first.',
    time: 'Time',
    actor: 'User',
    action: 'Action',
    subject: 'Subject',
    address: 'Address',
    details: 'Details',
    filter: 'Action',
    all: 'All',
    older: 'Show older',
    emptyTitle: 'No entries yet',
    empty: 'Actions from now on are listed here.',
    noMatch: 'No entries with this action.',
    showAll: 'Show all',
  },
};
