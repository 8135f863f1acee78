import type { CSSProperties } from 'react';

/** Number of the tokens `--label-0`, `--label-1` … in tokens.css. */
const COLOURS = 12;

/** Sets `--label` to the label's colour, a hash of its name (32-bit FNV-1a), so that it is the same everywhere. */
export function labelColour(label: string): CSSProperties {
  let hash = 0x811c9dc5;
  for (let at = 0; at < label.length; at += 1) hash = Math.imul(hash ^ label.charCodeAt(at), 0x01000193);
  return { '--label': `var(--label-${((hash ^ (hash >>> 15)) >>> 0) % COLOURS})` } as CSSProperties;
}
