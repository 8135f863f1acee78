// Runs after each `npm install`. npm compiles a package with a binding.gyp unless it says `gypfile: false`, but forgets that word when it
// writes the lock file (npm/cli: lib/arborist/rebuild.js reads it from there). better-sqlite3 says it and ships its binaries; without the
// word a fresh install would need a compiler and Node's headers. So the lock file keeps it.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const entry = lock.packages['node_modules/better-sqlite3'];
if (entry && entry.gypfile !== false) {
  entry.gypfile = false;
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
