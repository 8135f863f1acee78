import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { collectPackages } from './collect-packages.ts';
import { noticeText } from './notice-text.ts';

/** Implements `npm run generate:notice`: writes NOTICE. Run it after a change of dependencies. */
const root = resolve(import.meta.dirname, '..', '..');
writeFileSync(join(root, 'NOTICE'), noticeText(collectPackages(root)));
