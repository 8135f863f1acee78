/** What systems and devices keep beside images. */
const SYSTEM_NAMES = new Set([
  '$recycle.bin',
  'system volume information',
  'lost+found',
  '__macosx',
  '@eadir',
  'thumbs.db',
  'desktop.ini',
  'icon\r',
  'icon_',
]);

/** Whether a file or folder is passed over by its name: hidden (`.name`) or kept by the system. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('.') || SYSTEM_NAMES.has(name.toLowerCase());
}

/** Whether any part of a path with `/` between folders is hidden; so is everything with `..` in it. */
export function isHiddenPath(path: string): boolean {
  return path.split('/').some(isHiddenName);
}
