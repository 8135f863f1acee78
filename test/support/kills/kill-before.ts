import Database from 'better-sqlite3';

/**
 * Loaded into a server before its own code, see `killedBefore`. Kills the server directly before any of its threads runs a matching
 * statement for the n-th time. The pattern is matched against the statement followed by its parameters as JSON.
 */
const [pattern = '', nth = '1'] = JSON.parse(process.env.VITRINE_TEST_KILL_BEFORE ?? '[]') as string[];
const fits = new RegExp(pattern);
let left = Number(nth);

/** Leaves out the bytes of thumbnails and vectors, which as text would take more time than the statement. */
function withoutBytes(parameter: unknown): unknown {
  if (typeof parameter !== 'object' || parameter === null) return parameter;
  if (Array.isArray(parameter)) return parameter.map(withoutBytes);
  if (ArrayBuffer.isView(parameter)) return 'bytes';
  return Object.fromEntries(Object.entries(parameter).filter(([, value]) => !ArrayBuffer.isView(value)));
}

const prepare = Database.prototype.prepare;
Database.prototype.prepare = function prepareWatched(this: Database.Database, sql: string) {
  const statement = prepare.call(this, sql);
  const run = statement.run;
  statement.run = (...parameters: unknown[]) => {
    if (fits.test(`${sql} ${JSON.stringify(parameters.map(withoutBytes))}`)) {
      left -= 1;
      if (left === 0) {
        process.kill(process.pid, 'SIGKILL');
        // The process dies during this wait, so the statement is never run.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      }
    }
    return Reflect.apply(run, statement, parameters);
  };
  return statement;
} as typeof prepare;
