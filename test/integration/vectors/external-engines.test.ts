import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineConnection } from '../../../src-main/core/ports/external-engine.ts';
import type { SpaceAddress } from '../../../src-main/core/ports/vector-engine.ts';
import { openVectorEngine } from '../../../src-main/infra/vectors/open-engine.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { rowsWhere } from '../../../src-main/infra/vectors/rows.ts';
import { cutConnectionsAt } from '../../support/cut-connections.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { type QdrantServer, startQdrant } from '../../support/qdrant-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { bunches } from '../../unit/vectors/make-vectors.ts';
import { describeEngine } from './engine-conformance.ts';

const KEY = 'secret';
const [DIM, COUNT, LARGE] = [16, 600, 30_000];
const ADDRESS: SpaceAddress = { space: 'meaning', entity_type: 'IMAGES', encoder_id: 'made', dim: DIM };

let qdrant: QdrantServer;
let postgres: PostgresServer;
beforeAll(async () => {
  [qdrant, postgres] = await Promise.all([startQdrant(KEY), startPostgres()]);
});
afterAll(async () => {
  await Promise.all([qdrant.close(), postgres.close()]);
});

const connectionOf = (kind: EngineConnection['kind']): EngineConnection => ({
  kind,
  url: kind === 'qdrant' ? qdrant.url : postgres.url,
  key: KEY,
});

for (const kind of ['qdrant', 'pgvector'] as const) {
  describeEngine({
    name: kind,
    exact_rows: 1000,
    start: async () => {
      const folder = await temporaryFolder();
      const openAt = (at: string) => openVectorEngine({ kind: 'built-in', folder: at, connection: connectionOf(kind) });
      return {
        open: (state) =>
          openVectorEngine({ kind: 'built-in', folder, connection: connectionOf(kind) }, state ? { state } : {}),
        files: { folder, openAt },
      };
    },
  });
}

describe('searches by an external engine', () => {
  const vectors = bunches({ count: COUNT, dim: DIM, groups: 30, spread: 0.4, seed: 5 });
  const vectorOf = (row: number) => vectors.slice(row * DIM, (row + 1) * DIM);
  const everything = RowSet.where(COUNT, () => true);
  const filled = async (connection: EngineConnection) => {
    const folder = await temporaryFolder();
    const engine = openVectorEngine({ kind: 'built-in', folder, connection });
    const space = engine.open(ADDRESS);
    await space.upsert(
      rowsWhere(COUNT, () => true),
      vectors,
    );
    await space.copyOut({ count: COUNT, isFirst: true });
    return { folder, engine, space };
  };

  it('are refused as unavailable while the engine is away, and answered as soon as it is back', async () => {
    const server = await startQdrant(KEY);
    const { engine, space } = await filled({ kind: 'qdrant', url: server.url, key: KEY });
    await server.close();
    await expect(space.search(vectorOf(3), 5, everything)).rejects.toMatchObject({
      code: 'unavailable',
      reason: { code: 'vector_engine_unavailable' },
    });
    expect(await space.fetch(Int32Array.of(3))).toEqual(vectorOf(3));
    await space.upsert(Int32Array.of(4), vectorOf(9));
    const again = await startQdrant(KEY, server.collections, Number(new URL(server.url).port));
    const rows = (await space.search(vectorOf(9), 2, everything)).map(({ row }) => row);
    expect(rows.sort()).toEqual([4, 9]);
    await engine.close();
    await again.close();
  });

  it.each([
    ['an index is built', 'CREATE INDEX'],
    ['it searches', 'ORDER BY embedding'],
  ])('are refused as unavailable when the connection breaks while %s', async (_when, words) => {
    const proxy = await cutConnectionsAt(postgres.url, [words]);
    const folder = await temporaryFolder();
    const engine = openVectorEngine({
      kind: 'built-in',
      folder,
      connection: { kind: 'pgvector', url: proxy.url, key: KEY },
    });
    const space = engine.open(ADDRESS);
    await space.upsert(
      rowsWhere(COUNT, () => true),
      vectors,
    );
    const used = async () => {
      await space.copyOut({ count: COUNT, isFirst: true });
      await space.search(vectorOf(3), 5, everything);
    };
    await expect(used()).rejects.toMatchObject({ code: 'unavailable' });
    expect(proxy.nCut()).toBeGreaterThan(0);
    await engine.close();
    await proxy.close();
  });

  it('are refused as unavailable with a wrong key, and name neither address nor key', async () => {
    const { engine, folder } = await filled(connectionOf('qdrant'));
    const stranger = openVectorEngine({
      ...{ kind: 'built-in', folder },
      connection: { ...connectionOf('qdrant'), key: 'wrong' },
    });
    const refused = await stranger
      .open(ADDRESS)
      .search(vectorOf(1), 3, everything)
      .catch((error: Error) => error);
    expect(refused).toMatchObject({ code: 'unavailable' });
    expect(String((refused as Error).message)).not.toMatch(/wrong|127\.0\.0\.1/);
    await Promise.all([engine.close(), stranger.close()]);
  });

  it.each(['qdrant', 'pgvector'] as const)('in %s get all vectors again after the server lost them', async (kind) => {
    const { engine, space } = await filled(connectionOf(kind));
    if (kind === 'qdrant') qdrant.collections.clear();
    else {
      const { rows } = await postgres.db.query<{ name: string }>(
        `SELECT tablename AS name FROM pg_tables WHERE tablename LIKE 'vitrine_%'`,
      );
      for (const { name } of rows) await postgres.db.exec(`DROP TABLE "${name}"`);
    }
    await expect(space.search(vectorOf(3), 5, everything)).rejects.toMatchObject({ code: 'unavailable' });
    await space.copyOut({ count: COUNT });
    expect((await space.search(vectorOf(3), 1, everything))[0]?.row).toBe(3);
    await engine.close();
  });

  it('find rows that are newer than the last copy, without copying what is there', async () => {
    const { engine, space } = await filled(connectionOf('qdrant'));
    const added = bunches({ count: 20, dim: DIM, groups: 5, spread: 0.4, seed: 6 });
    const rows = Int32Array.from({ length: 20 }, (_, at) => COUNT + at);
    await space.upsert(rows, added);
    const all = RowSet.where(COUNT + 20, () => true);
    expect((await space.search(added.slice(0, DIM), 1, all))[0]?.row).toBe(COUNT);
    const before = qdrant.requests.get('PUT points') ?? 0;
    await space.copyOut({ count: COUNT + 20 });
    expect((qdrant.requests.get('PUT points') ?? 0) - before).toBe(1);
    expect((await space.search(added.slice(0, DIM), 1, all))[0]?.row).toBe(COUNT);
    await engine.close();
  });

  it('of a copy that was interrupted get the rows that are missing and those that changed, not all rows again', async () => {
    const folder = await temporaryFolder();
    const engine = openVectorEngine({ kind: 'built-in', folder, connection: connectionOf('qdrant') });
    const space = engine.open(ADDRESS);
    const many = bunches({ count: LARGE, dim: DIM, groups: 30, spread: 0.4, seed: 7 });
    await space.upsert(
      rowsWhere(LARGE, () => true),
      many,
    );
    const before = qdrant.requests.get('PUT points') ?? 0;
    const nSent = () => (qdrant.requests.get('PUT points') ?? 0) - before;
    const stopping = new AbortController();
    const onProgress = (fraction: number) => fraction > 0.9 && stopping.abort();
    const cut = space.copyOut({ count: LARGE, isFirst: true, signal: stopping.signal, onProgress });
    await expect(cut).rejects.toThrow();
    const nBefore = nSent();
    const replaced = bunches({ count: 1, dim: DIM, groups: 1, spread: 0.4, seed: 8 });
    await space.upsert(Int32Array.of(5), replaced);
    await space.copyOut({ count: LARGE, isFirst: true });
    expect(nSent() - nBefore).toBeLessThan(nBefore / 2);
    const all = RowSet.where(LARGE, () => true);
    expect((await space.search(replaced, 1, all))[0]?.row).toBe(5);
    expect((await space.search(many.slice(-DIM), 1, all))[0]?.row).toBe(LARGE - 1);
    await engine.close();
  });

  it('are local without an address, and leave the folder complete for it', async () => {
    const { engine, folder } = await filled(connectionOf('qdrant'));
    await engine.close();
    const local = openVectorEngine({ kind: 'built-in', folder });
    expect((await local.open(ADDRESS).search(vectorOf(7), 1, everything))[0]?.row).toBe(7);
    await local.close();
  });

  it('leave no collection after the space was dropped', async () => {
    const { engine } = await filled(connectionOf('qdrant'));
    const before = qdrant.collections.size;
    await engine.drop(ADDRESS);
    expect(qdrant.collections.size).toBe(before - 1);
    await engine.close();
  });
});
