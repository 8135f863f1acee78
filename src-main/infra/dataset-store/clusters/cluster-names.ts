import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { ClusterIndex } from './cluster-index.ts';
import { ClusterNameRepository, type ClusterNameRow } from './cluster-name.repository.ts';

/** Maximum number of items by which a named cluster is found again: enough to tell the largest of its parts. */
const MAX_MEMBERS = 1024;

type NamedClusters = ReadonlyMap<number, Pick<ClusterNameRow, 'name_id' | 'name'>>;

/**
 * [Note: Names of clusters]
 * A user's name of a cluster is stored with a sample of the cluster's items. When clusters change, the name belongs to the cluster of the
 * same level that has most of the sample. If two names meet in one cluster, that with the larger share of its sample there is shown; the
 * other one is shown again when the cluster is split.
 */
export class ClusterNames {
  readonly #rows: ClusterNameRepository;
  readonly #versions: DataVersions;
  /** Names by the clusters that they were resolved for, until names change. */
  readonly #resolved = new WeakMap<ClusterIndex, { version: number; named: NamedClusters }>();

  constructor({ db, versions }: { db: Database.Database; versions: DataVersions }) {
    this.#rows = new ClusterNameRepository(db);
    this.#versions = versions;
  }

  /** Returns the names by cluster. */
  of(entityType: EntityType, level: number, clusters: ClusterIndex): NamedClusters {
    const version = this.#versions.clusterNames;
    const known = this.#resolved.get(clusters);
    if (known?.version === version) return known.named;
    const named = resolveNames(this.#rows.list(entityType, level), clusters);
    this.#resolved.set(clusters, { version, named });
    return named;
  }
}

/** Returns at most {@link MAX_MEMBERS} rows of a cluster, evenly spaced. */
export function sampleMembers(rows: Int32Array): Int32Array {
  const n = Math.min(rows.length, MAX_MEMBERS);
  return Int32Array.from({ length: n }, (_, at) => rows[Math.floor((at * rows.length) / n)] as number);
}

function resolveNames(names: readonly ClusterNameRow[], clusters: ClusterIndex): NamedClusters {
  const found = names.flatMap(({ name_id, name, members }) => {
    const counts = new Map<number, number>();
    for (const row of members) {
      const cluster = clusters.clusterOf(row);
      if (cluster >= 0) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
    }
    const [most] = [...counts].sort((a, b) => b[1] - a[1]);
    return most ? [{ name_id, name, cluster: most[0], share: most[1] / members.length }] : [];
  });
  // The strongest claim is set last.
  return new Map(found.sort((a, b) => a.share - b.share).map(({ cluster, ...name }) => [cluster, name]));
}
