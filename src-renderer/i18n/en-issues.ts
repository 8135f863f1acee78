/** Texts of what may be wrong with items. */
export const enIssues = {
  issues: {
    title: 'Issues',
    names: {
      mislabels: 'Mislabelled',
      label_outlier: 'Unlike its label',
      outliers: 'Outliers',
      duplicates: 'Duplicates',
      blur: 'Blurred',
      dark: 'Dark',
      bright: 'Overexposed',
      low_information: 'Nearly empty',
      odd_size: 'Odd size',
      odd_aspect_ratio: 'Odd shape',
      normal: 'No issue',
    },
    sure: 'How sure it is',
    change: 'Change what is asked of the issue',
    without: 'not {{name}}',
    atLeast: 'from {{sure}}',
    modes: { in: 'Has it', out: 'Has it not' },
    sureFrom: 'Sure from',
    showAll: 'Show everything with this issue',
  },
};
