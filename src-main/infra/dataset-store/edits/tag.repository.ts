import type Database from 'better-sqlite3';
import type { TagRow } from '../../../core/ports/edits.ts';
import { onFirstUse } from '../../sqlite/on-first-use.ts';

/** The tags of one dataset. All writes join the caller's transaction. */
export class TagRepository {
  readonly #db: Database.Database;
  /** Runs several times per page, so it is prepared once. */
  readonly #list: () => Database.Statement<[], TagRow>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#list = onFirstUse(() => db.prepare('SELECT * FROM tag ORDER BY name'));
  }

  /** Lists tags by name. */
  list(): TagRow[] {
    return this.#list().all();
  }

  find(tagId: string): TagRow | undefined {
    return this.#db.prepare<[string], TagRow>('SELECT * FROM tag WHERE tag_id = ?').get(tagId);
  }

  /** Finds a tag by name, case-insensitively. */
  findByName(name: string): TagRow | undefined {
    return this.#db.prepare<[string], TagRow>('SELECT * FROM tag WHERE name = ?').get(name);
  }

  insert(tag: TagRow): void {
    this.#db.prepare<TagRow>('INSERT INTO tag VALUES (:tag_id, :name, :created_at)').run(tag);
  }

  rename(tagId: string, name: string): void {
    this.#db.prepare<[string, string]>('UPDATE tag SET name = ? WHERE tag_id = ?').run(name, tagId);
  }

  delete(tagId: string): void {
    this.#db.prepare<[string]>('DELETE FROM tag WHERE tag_id = ?').run(tagId);
  }
}
