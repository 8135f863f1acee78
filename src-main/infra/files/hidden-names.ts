/** Names of files and folders that systems and devices store beside images. */
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

/** Whether a file or folder is skipped because of its name: hidden (`.name`) or a system file. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('.') || SYSTEM_NAMES.has(name.toLowerCase());
}

/** Whether any part of a path is hidden, with `/` between folders. A path with `..` counts as hidden. */
export function isHiddenPath(path: string): boolean {
  return path.split('/').some(isHiddenName);
}
