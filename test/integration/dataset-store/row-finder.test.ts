import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { RowFinder } from '../../../src-main/infra/dataset-store/results/row-finder.ts';
import { datasetMigrations } from '../../../src-main/infra/dataset-store/schema/migrations.ts';
import { openDatabase } from '../../../src-main/infra/sqlite/open-database.ts';
import { atEnd } from '../../support/at-end.ts';
import { fillDatabase } from '../../support/fill-database.ts';
import { seeded } from '../../support/images.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let finder: () => RowFinder;
let ids: string[];

beforeAll(async () => {
  const db = openDatabase(join(await temporaryFolder(atEnd), 'data.db'), datasetMigrations);
  atEnd(() => db.close());
  ids = [...fillDatabase(db, 5000)];
  finder = () => new RowFinder(db);
});

describe('rows of items', () => {
  const shuffled = () => {
    const random = seeded(3);
    return ids.map((id) => ({ id, at: random() })).sort((a, b) => a.at - b.at);
  };

  it.each([
    ['the order of rows', () => ids],
    ['every second one', () => ids.filter((_, at) => at % 2 === 0)],
    ['the opposite order', () => ids.toReversed()],
    ['no order', () => shuffled().map(({ id }) => id)],
    ['the order of rows after none', () => [...shuffled().map(({ id }) => id), ...ids]],
    ['doubled ones', () => ids.flatMap((id) => [id, id])],
  ] as const)('are found in %s', (_order, wanted) => {
    const rows = finder();
    const found = wanted().map((id) => rows.find(id));
    expect(found).toEqual(wanted().map((id) => ids.indexOf(id)));
  });

  it('are unknown for an unknown id, wherever it comes', () => {
    const rows = finder();
    expect([rows.find('none'), rows.find(ids[0] ?? ''), rows.find('none'), rows.find(ids[1] ?? '')]).toEqual([
      undefined,
      0,
      undefined,
      1,
    ]);
  });
});
