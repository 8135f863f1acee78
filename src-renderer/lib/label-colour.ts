import type { CSSProperties } from 'react';

/** As many as `--label-0` … there are in tokens.css. */
const COLOURS = 12;

/** Sets `--label` to the label's colour, which is the same on every image and in every dataset (32-bit FNV-1a of its letters). */
export function labelColour(label: string): CSSProperties {
  let hash = 0x811c9dc5;
  for (let at = 0; at < label.length; at += 1) hash = Math.imul(hash ^ label.charCodeAt(at), 0x01000193);
  return { '--label': `var(--label-${((hash ^ (hash >>> 15)) >>> 0) % COLOURS})` } as CSSProperties;
}
