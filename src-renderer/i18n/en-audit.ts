/** Texts of the audit log. */
export const enAudit = {
  audit: {
    title: 'Audit log',
    open: 'Who did what, and when',
    note: 'Sign-ins, changes of users and roles, shares, exports, deletions and settings. The newest come first.',
    time: 'Time',
    actor: 'Who',
    action: 'What',
    subject: 'Of what',
    address: 'From',
    details: 'Details',
    filter: 'Action',
    all: 'All',
    older: 'Show older',
    emptyTitle: 'Nothing yet',
    empty: 'What happens from now on is listed here.',
    noMatch: 'No entry is of this kind.',
    showAll: 'Show all',
  },
};
