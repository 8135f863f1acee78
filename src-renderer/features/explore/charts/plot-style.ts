/** Colours and type of charts come from the page. */
export const PLOT_STYLE = {
  background: 'transparent',
  color: 'var(--text-2)',
  fontFamily: 'inherit',
  fontSize: '11px',
  overflow: 'visible',
} as const;
