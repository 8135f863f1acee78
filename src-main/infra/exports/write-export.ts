import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExportFormat } from '../../contract/schemas/export.ts';
import type { MadeExport } from '../../core/ports/exports.ts';
import { ExportSource, type SourceParts } from './export-source.ts';
import { cocoFormat } from './formats/coco.format.ts';
import { csvFormat, mediaIdsCsv } from './formats/csv.format.ts';
import { fileListFormat } from './formats/file-list.format.ts';
import type { Format } from './formats/format.ts';
import { imageFolderFormat } from './formats/image-folder.format.ts';
import { jsonFormat, metadataJson } from './formats/json.format.ts';
import { manifestFormat, manifestParquet } from './formats/manifest.format.ts';
import { parquetFormat } from './formats/parquet.format.ts';
import { yoloFormat } from './formats/yolo.format.ts';
import { createZip } from './zip-file.ts';

const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  json: jsonFormat,
  parquet: parquetFormat,
  coco: cocoFormat,
  yolo: yoloFormat,
  csv: csvFormat,
  image_folder: imageFolderFormat,
  file_list: fileListFormat,
  manifest: manifestFormat,
};

type Parts = Omit<SourceParts, 'onPassed'> & { onProgress: (done: number, total: number) => void };

/** Writes the file of an export. On failure the incomplete file is deleted. */
export async function writeExport(file: string, parts: Parts): Promise<MadeExport> {
  try {
    return await (parts.request.is_archive ? writeArchive(file, parts) : writeBare(file, parts));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

async function writeArchive(file: string, { onProgress, ...parts }: Parts): Promise<MadeExport> {
  const { format: name, include_images } = parts.request;
  if (name === 'media_ids') throw new Error('media ids are no archive');
  const format = FORMATS[name];
  const source: ExportSource = new ExportSource({
    ...parts,
    onPassed: (nPassed) => onProgress(nPassed, source.nItems * passes),
  });
  const passes = format.passes({ include_images });
  const zip = createZip(file, new Date(source.info.export_time));
  let nMissing = 0;
  try {
    await format.write(source, {
      zip,
      addImage: async (item, path) => {
        await parts.turn?.();
        if (!(await zip.addFile(path, item.path))) nMissing += 1;
      },
    });
    await zip.end();
  } catch (error) {
    zip.destroy();
    throw error;
  }
  return { n_items: source.nItems, size_bytes: (await stat(file)).size, n_missing: nMissing };
}

async function writeBare(file: string, { onProgress, ...parts }: Parts): Promise<MadeExport> {
  const source: ExportSource = new ExportSource({
    ...parts,
    onPassed: (nPassed) => onProgress(nPassed, source.nItems),
  });
  const content = bareContent(parts.request.format, source);
  await pipeline(Readable.from(content, { objectMode: false }), createWriteStream(file));
  return { n_items: source.nItems, size_bytes: (await stat(file)).size, n_missing: 0 };
}

function bareContent(format: SourceParts['request']['format'], source: ExportSource) {
  if (format === 'manifest') return manifestParquet(source);
  return format === 'media_ids' ? mediaIdsCsv(source) : metadataJson(source);
}
