import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { AnnotatedObjectRepository } from '../../../src-main/infra/dataset-store/annotations/annotated-object.repository.ts';
import { PendingBoxRepository } from '../../../src-main/infra/dataset-store/annotations/pending-box.repository.ts';
import { ModelResultRepository } from '../../../src-main/infra/dataset-store/enrichment/model-result.repository.ts';
import { FileRepository } from '../../../src-main/infra/dataset-store/intake/file.repository.ts';
import { datasetMigrations } from '../../../src-main/infra/dataset-store/schema/migrations.ts';
import { openDatabase } from '../../../src-main/infra/sqlite/open-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Returns the query plans of statements prepared by `work` that scan a whole table or sort their results. */
function slowPlans(db: Database.Database, work: () => void): string[] {
  const prepare = db.prepare.bind(db);
  const statements: string[] = [];
  db.prepare = ((sql: string) => {
    statements.push(sql);
    return prepare(sql);
  }) as typeof db.prepare;
  work();
  expect(statements.length).toBeGreaterThan(0);
  return statements.flatMap((sql) => {
    const bound = Object.fromEntries([...sql.matchAll(/:(\w+)/g)].map(([, name]) => [name, null]));
    const positional = Array.from({ length: sql.split('?').length - 1 }, () => null);
    const explain = prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    const plan = positional.length > 0 ? explain.all(...positional) : explain.all(bound);
    const slow = plan.filter(({ detail }) => /^SCAN (?!json_each)|TEMP B-TREE/.test(detail));
    return slow.map(({ detail }) => `${detail}: ${sql}`);
  });
}

it('statements that run per item or page read no more rows than they return', async () => {
  const folder = await temporaryFolder();
  const db = openDatabase(join(folder, 'data.db'), datasetMigrations);
  onTestFinished(() => void db.close());
  const plans = slowPlans(db, () => {
    const files = new FileRepository(db, folder);
    files.listPending('batch', 'image', null, 10);
    files.listPending('batch', 'video', { file_path: 'a', file_id: 1 }, 10);
    files.listRemote('batch', null, 10);
    files.knownPaths('batch', ['a']);
    const results = new ModelResultRepository(db);
    results.forget('media', 'model');
    results.listImages(0, 10);
    results.listObjects(0, 10);
    results.listCaptionsToEncode(0, 10);
    new PendingBoxRepository(db).list('batch', null, 10);
    new AnnotatedObjectRepository(db).deleteOfMedia('media');
  });
  expect(plans).toEqual([]);
});
