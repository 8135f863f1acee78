/** Descriptions of issues, part of the catalogue of messages. */
export const ISSUE_MESSAGES = {
  issue_mislabels: 'Its nearest neighbours have another label',
  issue_label_outlier: 'It is unlike other items with its label',
  issue_outliers: 'It is unlike all other items',
  issue_duplicates: 'Another item shows the same picture',
  issue_blur: 'Its edges are soft or blurred by motion, or it has hardly any detail',
  issue_dark: 'Even its brightest parts are dark',
  issue_bright: 'Large parts are overexposed, or almost everything is near white',
  issue_low_information: 'It has almost no content',
  issue_odd_size: 'It is far larger or smaller than most',
  issue_odd_aspect_ratio: 'One side is far longer than the other',
  issue_suggests: '{{issue}}: {{label}}',
  issue_by_appearance:
    '{{issue}}. Neighbours are compared by appearance only, which says little about content. Semantic embeddings make this more reliable.',
} as const;
