import { resolve } from 'node:path';
import { stagePackages, stageProgram } from './stage-app.ts';
import { hostTarget, parseTarget } from './target.ts';

/** Lays out the built program with its packages in a folder: `node tools/package/stage.ts FOLDER [TARGET]`. */
const root = resolve(import.meta.dirname, '..', '..');
const [folder, target] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name a folder');
stageProgram(root, resolve(folder));
stagePackages(root, resolve(folder), target === undefined ? hostTarget() : parseTarget(target));
