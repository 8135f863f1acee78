import type { ExportedFile } from '../../dataset-store/exports/exported-parts.ts';
import type { ExportSource } from '../export-source.ts';
import { table } from './csv-table.ts';
import type { Format } from './format.ts';

/**
 * File list: the paths of the images as text and as CSV, and scripts that move the files to the system's trash. Paths are relative to the
 * folder that the dataset was made from, which is the argument of the scripts. Frames of videos have no files and are left out.
 */
export const fileListFormat: Format = {
  passes: () => 4,
  write: async (source, { zip }) => {
    await zip.add(
      'files.txt',
      lines(source, [], (path) => path),
    );
    await zip.add(
      'files.csv',
      table(source.plainPages(), ['filename', 'media_id', 'size_bytes', 'width', 'height'], (item) =>
        isFile(item) ? [[item.file_path, item.media_id, item.size_bytes, item.width, item.height]] : [],
      ),
    );
    await zip.add(
      'move-to-trash.sh',
      lines(source, SHELL, (path) => `move '${`./${path}`.replaceAll("'", "'\\''")}'`),
    );
    await zip.add(
      'move-to-trash.ps1',
      lines(source, POWERSHELL, (path) => `Move-ToTrash '${path.replace(/['\u2018-\u201b]/g, '$&$&')}'`),
    );
  },
};

const SHELL = [
  '#!/bin/sh',
  '# Moves the files of this list to the trash.',
  '# Usage: sh move-to-trash.sh FOLDER   (the folder that the dataset was made from; default: the current folder)',
  '[ $# -eq 0 ] || cd "$1" || exit 1',
  'if command -v gio >/dev/null; then program="gio trash"',
  'elif command -v trash >/dev/null; then program=trash',
  'else echo "Neither gio nor trash is installed" >&2; exit 1',
  'fi',
  'move() {',
  '  if [ -f "$1" ]; then $program "$1"; else echo "Missing: $1" >&2; fi',
  '}',
];

/** Starts with a byte order mark, without which PowerShell 5 does not read UTF-8. Typographic quotes end a string in PowerShell too. */
const POWERSHELL = [
  '\ufeff# Moves the files of this list to the recycle bin.',
  '# Usage: .\\move-to-trash.ps1 FOLDER   (the folder that the dataset was made from; default: the current folder)',
  'param([string]$Folder = ".")',
  'Add-Type -AssemblyName Microsoft.VisualBasic',
  '$Folder = (Resolve-Path -LiteralPath $Folder).Path',
  'function Move-ToTrash([string]$Path) {',
  '  $File = Join-Path $Folder $Path',
  '  if (Test-Path -LiteralPath $File -PathType Leaf) {',
  "    [Microsoft.VisualBasic.FileIO.FileSystem]::DeleteFile($File, 'OnlyErrorDialogs', 'SendToRecycleBin')",
  '  } else { Write-Warning "Missing: $Path" }',
  '}',
];

async function* lines(
  source: ExportSource,
  head: readonly string[],
  lineOf: (path: string) => string,
): AsyncGenerator<string> {
  for (const line of head) yield `${line}\n`;
  for await (const page of source.plainPages()) {
    const own = page.filter(isFile).map(({ file_path }) => `${lineOf(file_path)}\n`);
    if (own.length > 0) yield own.join('');
  }
}

function isFile({ media_type }: ExportedFile): boolean {
  return media_type === 'image';
}
