/** Texts of what was damaged, brought back or set aside. */
export const enRecovery = {
  recovery: {
    title: 'Data on the disk',
    check: 'Check',
    checkText:
      'Looks at every file that Vitrine keeps. Groups, thumbnails and vectors that are damaged are made again from your media.',
    checkNow: 'Check now',
    checking: 'Checking…',
    sound_one: 'One dataset is as it was written',
    sound_other: 'All {{count}} datasets are as they were written',
    damagedFound_one: 'One dataset is damaged; see below',
    damagedFound_other: '{{count}} datasets are damaged; see below',
    events: 'What was found',
    eventsText: 'Nothing is ever deleted that you did not delete. What could not be placed is in the folder recovered.',
    none: 'Nothing was ever damaged or missing.',
    markRead: 'Mark all as read',
    banner_one: 'Something in the data folder was damaged or had to be brought back.',
    banner_other: '{{count}} things in the data folder were damaged or had to be brought back.',
    bannerLink: 'See what',
    kind: {
      catalog_replaced: 'Catalog',
      adopted: 'Back',
      updated: 'Brought up to date',
      set_aside: 'Set aside',
      not_restored: 'Not restored',
      damaged: 'Damaged',
      repaired: 'Whole again',
    },
  },
};
