import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { stageProgram } from './stage-app.ts';

/** Implements `npm run package:npm`: writes `dist/vitrine-VERSION.tgz`, which `npx` and `npm install` take. */
const root = resolve(import.meta.dirname, '..', '..');
const folder = join(root, 'dist', 'npm');
stageProgram(root, folder);
const archive = execFileSync('npm', ['pack', '--silent', '--pack-destination', join(root, 'dist')], {
  cwd: folder,
  encoding: 'utf8',
});
console.log(join('dist', archive.trim()));
