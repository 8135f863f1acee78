import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { message } from '../../contract/messages.ts';
import type { NewFile } from '../../core/ports/dataset-files.ts';
import { FILE_SYSTEM_SOURCE } from '../../core/ports/media-sources.ts';
import type { OpenedFolders } from '../../core/ports/opened-folders.ts';
import { fileKindOf } from '../files/file-kinds.ts';
import { type ManifestSource, manifestFormat, readManifest } from '../manifests/read-manifest.ts';
import type { OpenParquet } from '../parquet/parquet-thread.ts';
import type { ObjectStorage } from '../storage/s3-storage.ts';
import { parseS3Uri } from '../storage/s3-uri.ts';

export interface ManifestParts {
  storage: ObjectStorage;
  openParquet: OpenParquet;
  opened: OpenedFolders;
  /** Fetches a remote Parquet manifest to a file, because Parquet can only be read from a file; returns the file's path. */
  fetchManifest: (uri: string, assumeRole: string | null, signal: AbortSignal) => Promise<string>;
}

/**
 * Yields the media that a manifest lists. Files at `s3://` and `http(s)://` addresses are fetched later; local files stay in place.
 * Relative
 * entries are resolved against the manifest's folder. An unusable entry becomes a file with that problem. This includes local files in a
 * remote manifest, because its author may have no permission to read this machine's files.
 */
export async function* collectManifest(
  source: { uri: string; assume_role: string | null },
  parts: ManifestParts,
  signal: AbortSignal,
): AsyncGenerator<NewFile[]> {
  const manifest = await openManifest(source, parts, signal);
  for await (const entries of readManifest(manifest, signal)) {
    yield await Promise.all(entries.map((entry) => describeEntry(entry.uri, source.uri, parts.opened)));
  }
}

async function openManifest(
  { uri, assume_role }: { uri: string; assume_role: string | null },
  parts: ManifestParts,
  signal: AbortSignal,
): Promise<ManifestSource> {
  const format = manifestFormat(uri) ?? 'txt';
  const isRemote = isRemoteList(uri);
  if (format === 'parquet') {
    const content = isRemote ? await parts.fetchManifest(uri, assume_role, signal) : uri;
    return { format, content, open: parts.openParquet };
  }
  if (!isRemote) return { format, content: uri };
  return {
    format,
    content: await parts.storage.readObject(parseS3Uri(uri), { assumeRole: assume_role ?? undefined, signal }),
  };
}

function isRemoteList(manifest: string): boolean {
  return /^s3:/i.test(manifest);
}

function namesLocalFile(entry: string): boolean {
  return /^file:/i.test(entry) || isAbsolute(entry) || win32.isAbsolute(entry) || /^[a-z]:/i.test(entry);
}

function foreignFile(entry: string): NewFile {
  const filePath = entry.replace(/^file:\/*/i, '').replace(/^[/\\]+/, '') || entry;
  const reason = message('list_names_local_file');
  const kind = fileKindOf(filePath) ?? 'image';
  return {
    file_path: filePath,
    kind,
    location: '',
    size_bytes: 0,
    mtime_ms: 0,
    problem: { kind: 'unsupported', reason },
  };
}

/** Resolves an entry to an absolute address. */
function absolute(entry: string, manifest: string): string {
  if (/^(s3|https?):\/\//i.test(entry) || isAbsolute(entry)) return entry;
  if (/^file:/i.test(entry)) return fileUrlPath(entry);
  if (isRemoteList(manifest)) return manifest.slice(0, manifest.lastIndexOf('/') + 1) + entry.replace(/^\.\//, '');
  return resolve(dirname(manifest), entry);
}

function fileUrlPath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

async function describeEntry(entry: string, manifest: string, opened: OpenedFolders): Promise<NewFile> {
  if (isRemoteList(manifest) && namesLocalFile(entry)) return foreignFile(entry);
  const uri = absolute(entry, manifest);
  const isRemote = /^(s3|https?):\/\//i.test(uri);
  // An entry such as `http://` or `.` names nothing that could be shown.
  const filePath = (isRemote ? remotePath(uri) : localPath(uri, manifest)) || uri;
  const kind = fileKindOf(filePath);
  // The address of an image may have no image extension; the fetched content is checked instead.
  const file = { file_path: filePath, kind: kind ?? 'image', size_bytes: 0, mtime_ms: 0 } as const;
  if (isRemote) return { ...file, origin: uri, location: '' };
  const local = { ...file, source_id: FILE_SYSTEM_SOURCE, location: uri };
  if (kind === undefined) {
    return { ...local, problem: { kind: 'unsupported', reason: message('file_of_unknown_format') } };
  }
  if (!(await opened.isOpen(uri))) {
    const reason = message('list_names_closed_file');
    return { ...local, location: '', problem: { kind: 'unreadable', reason } };
  }
  try {
    const { size, mtimeMs } = await stat(uri);
    return { ...local, size_bytes: size, mtime_ms: mtimeMs };
  } catch {
    return {
      ...local,
      problem: { kind: 'unreadable', reason: message('list_names_missing_file') },
    };
  }
}

/** Path for a remote file: `https://host/a/b.jpg?x` → `host/a/b.jpg`; `s3://bucket/a/b.jpg` → `bucket/a/b.jpg`. */
function remotePath(uri: string): string {
  if (/^s3:/i.test(uri)) return uri.slice('s3://'.length);
  try {
    const url = new URL(uri);
    return decodeURI(`${url.host}${url.pathname}`);
  } catch {
    return uri.replace(/^https?:\/\//i, '');
  }
}

/** Path for a local file: relative to the manifest's folder if it is below it, otherwise the whole path. */
function localPath(path: string, manifest: string): string {
  const below = isRemoteList(manifest) ? '..' : relative(dirname(manifest), path);
  const shown = below.startsWith('..') || isAbsolute(below) ? path : below;
  return shown
    .split(sep)
    .filter((part) => part !== '')
    .join('/');
}
