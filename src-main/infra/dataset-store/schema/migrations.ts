import type { Migration } from '../../sqlite/open-database.ts';
import { dataset } from './001-dataset.ts';
import { modelResults } from './002-model-results.ts';
import { orphanedFrames } from './003-orphaned-frames.ts';
import { pagesByPath } from './004-pages-by-path.ts';
import { qualityColumns } from './005-quality-columns.ts';
import { embeddingSpaces } from './006-embedding-spaces.ts';
import { problemsByPath } from './007-problems-by-path.ts';
import { fileOrigins } from './008-file-origins.ts';
import { problemsOnce } from './009-problems-once.ts';
import { boxes } from './010-boxes.ts';
import { fullText } from './011-full-text.ts';
import { edits } from './012-edits.ts';
import { lostParts } from './013-lost-parts.ts';
import { labelsByName } from './014-labels-by-name.ts';
import { duplicatePairs } from './015-duplicate-pairs.ts';
import { replacedObjects } from './016-replaced-objects.ts';
import { trimmedVectors } from './017-trimmed-vectors.ts';
import { customMetadata } from './018-custom-metadata.ts';
import { replacedFrames } from './019-replaced-frames.ts';

/** The schema of data.db, in the order in which it came to be. */
export const datasetMigrations: readonly Migration[] = [
  dataset,
  modelResults,
  orphanedFrames,
  pagesByPath,
  qualityColumns,
  embeddingSpaces,
  problemsByPath,
  fileOrigins,
  problemsOnce,
  boxes,
  fullText,
  edits,
  lostParts,
  labelsByName,
  duplicatePairs,
  replacedObjects,
  trimmedVectors,
  customMetadata,
  replacedFrames,
];
