/** Four tiles, one lit: the app's mark. */
export function Glyph() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <g fill="currentColor">
        <rect x="2" y="2" width="7.5" height="7.5" rx="1" opacity="0.4" />
        <rect x="10.5" y="2" width="7.5" height="7.5" rx="1" />
        <rect x="2" y="10.5" width="7.5" height="7.5" rx="1" opacity="0.4" />
        <rect x="10.5" y="10.5" width="7.5" height="7.5" rx="1" opacity="0.4" />
      </g>
    </svg>
  );
}
