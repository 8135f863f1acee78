import type { AsyncBuffer, DecodedArray, FileMetaData, RowGroup } from 'hyparquet';
import { parquetSchema } from 'hyparquet';
import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { convert, convertWithDictionary, DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getTreePath } from 'hyparquet/src/schema.js';
import { compressors } from 'hyparquet-compressors';

/** Lists of numbers, one after the other. */
export interface Lists {
  /** Numbers of all lists. One that is missing, or is no number, is NaN. */
  components: Float32Array;
  /** For each row, the number of components up to the end of its list. A row without a list has no components. */
  ends: Int32Array;
}

/**
 * Reads a column of lists of numbers of a row group. Reading an array for each list would take longer, most of it for making these arrays.
 * @returns Undefined for a column of another kind.
 * @throws Error when the content is damaged.
 */
export async function readLists(
  file: AsyncBuffer,
  metadata: FileMetaData,
  group: RowGroup,
  name: string,
): Promise<Lists | undefined> {
  const chunks = group.columns.filter(({ meta_data }) => meta_data?.path_in_schema[0] === name);
  const column = chunks[0]?.meta_data;
  if (!column || chunks.length > 1) return undefined;
  const schemaPath = getTreePath(parquetSchema(metadata), column.path_in_schema);
  const repeated = schemaPath.findIndex(({ element }) => element.repetition_type === 'REPEATED');
  const element = schemaPath.at(-1)?.element;
  if (!element || getMaxRepetitionLevel(schemaPath) !== 1) return undefined;
  const { data_page_offset, dictionary_page_offset = data_page_offset, path_in_schema: pathInSchema } = column;
  const start = Number(dictionary_page_offset > 0 ? dictionary_page_offset : data_page_offset);
  const bytes = await file.slice(start, start + Number(column.total_compressed_size));
  const decoder = { ...column, pathInSchema, schemaPath, element, compressors, parsers: DEFAULT_PARSERS };
  const lists = new ListBuilder(
    getMaxDefinitionLevel(schemaPath),
    getMaxDefinitionLevel(schemaPath.slice(0, repeated + 1)),
  );
  for (const page of pagesOf(bytes, decoder)) lists.add(page);
  return lists.end();
}

type ColumnDecoder = Parameters<typeof readPage>[2];

interface Page {
  values: DecodedArray;
  repetitionLevels: readonly number[];
  /** Empty if all are the highest. */
  definitionLevels: readonly number[];
}

function* pagesOf(bytes: ArrayBuffer, decoder: ColumnDecoder): Generator<Page> {
  const reader = { view: new DataView(bytes), offset: 0 };
  let dictionary: DecodedArray | undefined;
  while (reader.offset < bytes.byteLength - 1) {
    const header = parquetHeader(reader);
    const v1 = header.data_page_header;
    const encoding = (v1 ?? header.data_page_header_v2)?.encoding;
    if (encoding === undefined) {
      const { data } = readPage(reader, header, decoder, dictionary, undefined, 0);
      if (data) dictionary = convert(data, decoder);
      continue;
    }
    const packed = new Uint8Array(bytes, reader.offset, header.compressed_page_size);
    reader.offset += header.compressed_page_size;
    const page = v1
      ? readDataPage(decompressPage(packed, header.uncompressed_page_size, decoder.codec, compressors), v1, decoder)
      : readDataPageV2(packed, header, decoder);
    const { repetitionLevels, definitionLevels = [] } = page;
    const values = convertWithDictionary(page.dataPage, dictionary, encoding, decoder);
    yield { values, repetitionLevels, definitionLevels };
  }
}

/** Joins the pages of a column of lists. */
class ListBuilder {
  readonly #ofValue: number;
  readonly #ofElement: number;
  readonly #parts: Float32Array[] = [];
  readonly #starts: number[] = [];
  #n = 0;

  /** @param ofValue Definition level of a number. @param ofElement Lowest definition level of an element, which may be missing. */
  constructor(ofValue: number, ofElement: number) {
    this.#ofValue = ofValue;
    this.#ofElement = ofElement;
  }

  add({ values, repetitionLevels, definitionLevels }: Page): void {
    const areAllDefined = definitionLevels.length === 0;
    const components = new Float32Array(repetitionLevels.length);
    let [n, nValues] = [0, 0];
    for (let at = 0; at < repetitionLevels.length; at += 1) {
      // The first level of a row ends the one before.
      if (repetitionLevels[at] === 0) this.#starts.push(this.#n + n);
      const level = areAllDefined ? this.#ofValue : (definitionLevels[at] as number);
      if (level < this.#ofElement) continue;
      const value: unknown = level === this.#ofValue ? values[nValues] : undefined;
      if (level === this.#ofValue) nValues += 1;
      components[n] = typeof value === 'number' ? value : Number.NaN;
      n += 1;
    }
    this.#parts.push(components.subarray(0, n));
    this.#n += n;
  }

  end(): Lists {
    const components = new Float32Array(this.#n);
    let at = 0;
    for (const part of this.#parts) {
      components.set(part, at);
      at += part.length;
    }
    const starts = this.#starts;
    return { components, ends: Int32Array.from(starts, (_, row) => starts[row + 1] ?? this.#n) };
  }
}
