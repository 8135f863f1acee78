import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SchemaElement } from 'hyparquet';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import type { ResultManifest } from '../../src-main/contract/schemas/results.ts';

type Row = Record<string, unknown>;

const LISTS = ['embedding', 'box'];

/** Returns a Parquet file with the columns of the first row: lists of floats, numbers or texts. */
export function resultTable(rows: readonly Row[]): Buffer {
  const names = Object.keys(rows[0] ?? { media_id: '' });
  const schema = names.flatMap((name): SchemaElement[] => {
    if (LISTS.includes(name)) {
      return [
        { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'FLOAT', repetition_type: 'OPTIONAL' },
      ];
    }
    if (name === 'confidence') return [{ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' }];
    return [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }];
  });
  const columnData = names.map((name) => ({ name, data: rows.map((row) => row[name] ?? null) })) as ColumnSource[];
  return Buffer.from(
    parquetWriteBuffer({ schema: [{ name: 'root', num_children: names.length }, ...schema], columnData }),
  );
}

export interface WrittenResults extends Pick<ResultManifest, 'kind'> {
  model?: string;
  /** Rows of each part. */
  parts: (readonly Row[])[];
  /** Replaces parts of the manifest. */
  manifest?: Partial<ResultManifest>;
}

/** Returns the files of results by name: the parts and `manifest.json`. */
export function resultFiles({ kind, model = 'cluster-encoder', parts, manifest }: WrittenResults): Map<string, Buffer> {
  const files = new Map<string, Buffer>(
    parts.map((rows, at) => [`part-${String(at).padStart(5, '0')}.parquet`, resultTable(rows)] as const),
  );
  const [vector] = parts.flat().flatMap(({ embedding }) => (Array.isArray(embedding) ? [embedding] : []));
  const written = {
    kind,
    model: { id: model },
    ...(vector && { dim: vector.length }),
    parts: [...files].map(([file, bytes], at) => ({ file, rows: parts[at]?.length ?? 0, sha256: sha256(bytes) })),
    ...manifest,
  };
  return files.set('manifest.json', Buffer.from(JSON.stringify(written)));
}

/** Writes results into a folder. */
export async function writeResults(folder: string, results: WrittenResults): Promise<void> {
  for (const [name, bytes] of resultFiles(results)) await writeFile(join(folder, name), bytes);
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
