/** Names that Windows keeps for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const MOST_LETTERS = 150;

/** A name that every file system takes as that of one file or folder; '' where nothing is left of it. */
export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .toWellFormed()
    // What some system forbids, and letters that turn the direction of what follows.
    .replace(/[\p{Cc}\p{Bidi_Control}<>:"/\\|?*]/gu, '_')
    .trim()
    .replace(/[. ]+$/, '');
  const short = Array.from(plain).slice(0, MOST_LETTERS).join('');
  return DEVICE.test(short) || short.startsWith('.') ? `_${short}` : short;
}

/** The same for a relative path with `/`: it cannot lead out of the folder that it is put in. */
export function safePath(path: string): string {
  const parts = path.split('/').map(safeFileName);
  return parts.filter((part) => part !== '').join('/') || '_';
}
