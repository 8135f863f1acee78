/** A file with its path below the dropped or chosen folder, such as `trip/day 1/a.jpg`. */
export interface DroppedFile {
  file: File;
  relativePath: string;
}

/** Files of a file picker. A folder picker provides their paths. */
export function pickedFiles(files: Iterable<File>): DroppedFile[] {
  return [...files].filter(isIncluded).map((file) => ({ file, relativePath: file.webkitRelativePath || file.name }));
}

/**
 * All files of a drop, including those in folders. Call it inside the drop event: the browser clears the transfer afterwards.
 * Files that can no longer be read are skipped.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<DroppedFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  // Images dragged from another page have no entries.
  if (entries.length === 0) return pickedFiles(transfer.files);
  const found: DroppedFile[] = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

/** Path of the folder if exactly one folder was dropped on the desktop app, which can use it in place. */
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
    if (file !== null && isIncluded(file)) found.push({ file, relativePath: entry.fullPath.replace(/^\//, '') });
  } else if (isDirectoryEntry(entry) && !entry.name.startsWith('.')) {
    for (const child of await children(entry)) await collect(child, found);
  }
}

/** Readers return about 100 entries at a time, and an empty batch at the end. */
async function children(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}

/** Hidden and system files are ignored. */
function isIncluded(file: File): boolean {
  return !file.name.startsWith('.') && file.name !== 'Thumbs.db' && file.name !== 'desktop.ini';
}

function isFileEntry(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectoryEntry(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
