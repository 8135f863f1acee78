import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';

/** Rows per row group, which are in memory together. */
const GROUP_ROWS = 10_000;

export interface ParquetColumn<Row> {
  name: string;
  type: 'STRING' | 'INT32' | 'INT64' | 'DOUBLE';
  nullable: boolean;
  /** Value of a row; null if it has none. */
  of: (row: Row) => string | number | bigint | null;
}

/** The bytes of a Parquet file, one row group at a time. @param keyValues Texts that the file stores beside the rows. */
export async function* parquetFile<Row>(
  columns: readonly ParquetColumn<Row>[],
  pages: AsyncIterable<readonly Row[]>,
  keyValues: Readonly<Record<string, string>>,
): AsyncGenerator<Uint8Array> {
  const columnsOf = (rows: readonly Row[]): ColumnSource[] =>
    columns.map(({ name, type, nullable, of }) => ({ name, type, nullable, data: rows.map(of) }));
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData: columnsOf([]) }),
    createdBy: 'Vitrine',
    kvMetadata: Object.entries(keyValues).map(([key, value]) => ({ key, value })),
  });
  let group: Row[] = [];
  for await (const page of pages) {
    group.push(...page);
    if (group.length < GROUP_ROWS) continue;
    await parquet.write({ columnData: columnsOf(group), rowGroupSize: group.length });
    yield drain(writer);
    group = [];
  }
  if (group.length > 0) await parquet.write({ columnData: columnsOf(group), rowGroupSize: group.length });
  await parquet.finish();
  yield drain(writer);
}

/** Returns the bytes written so far and clears them. The writer's `offset` continues to count. */
function drain(writer: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(writer.buffer.slice(0, writer.index));
  writer.index = 0;
  return bytes;
}
