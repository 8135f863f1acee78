import { useEffect, useState } from 'react';
import type { FolderPreview } from '../../../src-main/contract/schemas/folder-preview.ts';
import { api } from '../../lib/api.ts';
import type { UploadSelection } from '../../lib/upload-selection.ts';

/** Names of files that may contain annotations. */
const ANNOTATIONS = /\.(json|jsonl|xml|csv|txt|ya?ml|names|parquet)$/i;
/** Limits of what is sent for a preview: annotation files, their size in bytes, and the size in bytes of an archive. */
const [MAX_FILES, MAX_BYTES, MAX_ARCHIVE_BYTES] = [2000, 64 * 1024 ** 2, 512 * 1024 ** 2];

/** Returns the content of files or of an archive that are not uploaded yet; undefined while it is read, and for too large archives. */
export function useUploadPreview(selection: UploadSelection): FolderPreview | undefined {
  const [read, setRead] = useState<{ selection: UploadSelection; found: FolderPreview }>();
  useEffect(() => {
    const sent = previewOf(selection);
    if (sent === undefined) return;
    const stopped = new AbortController();
    // Without a preview the dataset can still be created, and its creation reports what is wrong with the files.
    api.preview_upload(sent, { signal: stopped.signal }).then(
      (found) => setRead({ selection, found }),
      () => setRead(undefined),
    );
    return () => stopped.abort();
  }, [selection]);
  return read?.selection === selection ? read.found : undefined;
}

/** Returns what is sent: an archive, or annotation files with the paths of all files. */
function previewOf(selection: UploadSelection) {
  if (selection.kind === 'archive') {
    const { file, relativePath } = selection.archive;
    return file.size > MAX_ARCHIVE_BYTES ? undefined : { paths: '', files: [{ file, file_name: relativePath }] };
  }
  if (selection.kind !== 'files') return undefined;
  let bytes = 0;
  const sent = selection.files
    .filter(({ relativePath }) => ANNOTATIONS.test(relativePath))
    .slice(0, MAX_FILES)
    .filter(({ file }) => {
      bytes += file.size;
      return bytes <= MAX_BYTES;
    });
  return {
    paths: JSON.stringify(selection.files.map(({ relativePath }) => relativePath)),
    files: sent.map(({ file, relativePath }) => ({ file, file_name: relativePath })),
  };
}
