import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepRuntimeQuiet } from '../../src-main/infra/inference/keep-runtime-quiet.ts';
import { findMedia } from '../support/media.ts';
import { findModels } from '../support/models.ts';
import { repository } from '../support/server.ts';
import { measureAccess } from './access.bench.ts';
import { measureAdding } from './adding.bench.ts';
import { measureArchive } from './archive.bench.ts';
import { measureBackup } from './backup.bench.ts';
import { measureClients } from './clients.bench.ts';
import { measureClusters } from './clusters.bench.ts';
import { measureDescriptorQuality } from './descriptor-quality.ts';
import { measureDuplicates } from './duplicates.bench.ts';
import { measureExplore } from './explore.bench.ts';
import { measureExports } from './exports.bench.ts';
import { measureFirstMinute } from './first-minute.bench.ts';
import { measureHosts } from './hosts.bench.ts';
import { measureIndexing } from './indexing.bench.ts';
import { measureIssues } from './issues.bench.ts';
import { measureJourneys } from './journeys.bench.ts';
import { measureMap } from './map.bench.ts';
import { measureMetadata } from './metadata.bench.ts';
import { measureModels } from './models.bench.ts';
import { measureQueries } from './queries.bench.ts';
import { measureRay } from './ray.bench.ts';
import { measureResults } from './results.bench.ts';
import { measureScale } from './scale.bench.ts';
import { measureScreens } from './screens.bench.ts';
import { measureScrolling } from './scrolling.bench.ts';
import { measureSnapshots } from './snapshots.bench.ts';
import { measureStarts } from './starts.bench.ts';
import { measureTexts } from './texts.bench.ts';
import { measureUploads } from './uploads.bench.ts';
import { measureUseMemory } from './use-memory.bench.ts';
import { measureUsers } from './users.bench.ts';
import { measureVectors } from './vectors.bench.ts';
import { measureViews } from './views.bench.ts';
import { measureWatchedTree } from './watched-tree.bench.ts';

/**
 * `npm run bench [name …]`: prints one JSON object. Each figure is a ratio within this run or is given with its reference. Names are
 * descriptor, indexing, adding, archive, uploads, tree, explore, queries, vectors, map, duplicates, clusters, texts, screens, scrolling, exports,
 * snapshots, views, backup, metadata, results, starts, models, minute, issues, access, clients, users, memory, journeys, hosts, ray, scale.
 */
const benches: Record<string, (folder: string) => Promise<unknown>> = {
  descriptor: () => withMedia(measureDescriptorQuality),
  indexing: (folder) => withMedia((media) => measureIndexing(media, folder)),
  adding: (folder) => measureAdding(folder),
  archive: (folder) => measureArchive(folder),
  uploads: (folder) => measureUploads(folder),
  tree: (folder) => measureWatchedTree(folder),
  explore: (folder) => measureExplore(folder),
  queries: (folder) => measureQueries(folder),
  vectors: (folder) => measureVectors(folder),
  duplicates: (folder) => withMedia((media) => measureDuplicates(media, folder)),
  clusters: (folder) => withMedia((media) => measureClusters(media, folder)),
  texts: (folder) => withMedia((media) => measureTexts(media, folder)),
  screens: (folder) => measureScreens(folder),
  scrolling: (folder) => measureScrolling(folder),
  map: (folder) => measureMap(folder),
  exports: (folder) => measureExports(folder),
  snapshots: (folder) => measureSnapshots(folder),
  views: (folder) => measureViews(folder),
  backup: (folder) => measureBackup(folder),
  metadata: (folder) => measureMetadata(folder),
  results: (folder) => measureResults(folder),
  access: (folder) => measureAccess(folder),
  clients: (folder) => measureClients(folder),
  starts: (folder) => measureStarts(folder),
  users: (folder) => measureUsers(folder),
  memory: (folder) => measureUseMemory(folder),
  journeys: (folder) => measureJourneys(folder),
  hosts: (folder) => measureHosts(folder),
  issues: (folder) => withMedia((media) => measureIssues(media, folder)),
  models: () => withModels(measureModels),
  scale: (folder) => measureScale(folder),
  ray: (folder) => withModels((media) => measureRay(media, folder)),
  minute: (folder) => withModels((media, models) => measureFirstMinute(media, models, folder)),
};

async function withMedia(work: (media: string) => Promise<unknown>): Promise<unknown> {
  const media = findMedia();
  return 'root' in media ? work(media.root) : { skipped: media.missing };
}

function withModels(work: (media: string, models: string) => Promise<unknown>): Promise<unknown> {
  return withMedia((media) => {
    const models = findModels();
    return 'root' in models ? work(media, models.root) : Promise.resolve({ skipped: models.missing });
  });
}

keepRuntimeQuiet(process.env);
// Servers keep their compiled code where `npm start` does.
process.env.NODE_COMPILE_CACHE ??= join(repository, 'node_modules', '.cache', 'vitrine');
const expected = process.argv.slice(2);
const results: Record<string, unknown> = {
  machine: { cores: availableParallelism(), cpu: cpus()[0]?.model, node: process.version },
};
for (const [name, bench] of Object.entries(benches)) {
  if (expected.length > 0 && !expected.includes(name)) continue;
  const folder = await mkdtemp(join(tmpdir(), `vitrine-bench-${name}-`));
  try {
    results[name] = await bench(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
console.log(JSON.stringify(results, null, 2));
