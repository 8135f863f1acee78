/** Names that Windows reserves for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const MAX_CHARACTERS = 150;

/** Turns a name into one that every file system accepts; '' if nothing remains. */
export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .toWellFormed()
    // Characters that some system forbids, and marks that change the text direction.
    .replace(/[\p{Cc}\p{Bidi_Control}<>:"/\\|?*]/gu, '_')
    .trim()
    .replace(/[. ]+$/, '');
  const short = Array.from(plain).slice(0, MAX_CHARACTERS).join('');
  return DEVICE.test(short) || short.startsWith('.') ? `_${short}` : short;
}

/** The same for a relative path with `/`: the result cannot leave its folder. */
export function safePath(path: string): string {
  const parts = path.split('/').map(safeFileName);
  return parts.filter((part) => part !== '').join('/') || '_';
}
