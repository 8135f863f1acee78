/** A file with its place below the folder it was dropped or picked with, such as `trip/day 1/a.jpg`. */
export interface DroppedFile {
  file: File;
  relativePath: string;
}

/** Files from a picker; a folder picker gives their paths below the folder. */
export function pickedFiles(files: Iterable<File>): DroppedFile[] {
  return [...files].filter(isWanted).map((file) => ({ file, relativePath: file.webkitRelativePath || file.name }));
}

/**
 * Every file of a drop, folders walked. Call it inside the drop event: the browser empties the transfer afterwards.
 * A file that cannot be read any more is left out.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<DroppedFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  // Images dragged from another page come without entries.
  if (entries.length === 0) return pickedFiles(transfer.files);
  const found: DroppedFile[] = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

/** Path of the folder when exactly one folder was dropped on the desktop app, which can use it in place. */
export function droppedFolderPath(transfer: DataTransfer): string | null {
  const bridge = window.vitrine;
  const [item, ...others] = [...transfer.items];
  if (bridge === undefined || item === undefined || others.length > 0 || !item.webkitGetAsEntry()?.isDirectory)
    return null;
  const file = item.getAsFile();
  return file === null ? null : bridge.pathForFile(file) || null;
}

async function collect(entry: FileSystemEntry, found: DroppedFile[]): Promise<void> {
  if (isFileEntry(entry)) {
    const file = await new Promise<File | null>((resolve) => entry.file(resolve, () => resolve(null)));
    if (file !== null && isWanted(file)) found.push({ file, relativePath: entry.fullPath.replace(/^\//, '') });
  } else if (isDirectoryEntry(entry) && !entry.name.startsWith('.')) {
    for (const child of await children(entry)) await collect(child, found);
  }
}

/** Readers hand out a folder about a hundred entries at a time, until an empty batch. */
async function children(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}

/** Hidden and system files are never meant. */
function isWanted(file: File): boolean {
  return !file.name.startsWith('.') && file.name !== 'Thumbs.db' && file.name !== 'desktop.ini';
}

function isFileEntry(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectoryEntry(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
