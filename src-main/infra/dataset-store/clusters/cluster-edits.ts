import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { ClusterEditKind } from '../../../core/ports/edits.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import { ClusterEditRepository } from './cluster-edit.repository.ts';
import type { ClusterIndex } from './cluster-index.ts';

/** Maximum number of items by which an edited cluster is found again: enough to tell the largest of its parts. */
const MAX_MEMBERS = 1024;

type ByCluster<Value> = ReadonlyMap<number, Value>;

/** The edits of the clusters of a level, by cluster. */
interface Resolved {
  version: number;
  named: ByCluster<{ id: number; name: string }>;
  /** Ids of the edits that hide a cluster. */
  hidden: ByCluster<number[]>;
  merged: ReadonlySet<number>;
}

/**
 * [Note: Edits of clusters]
 * People name clusters, hide them and merge them. An edit is stored with a sample of the items of each cluster. When clusters change, the
 * edit belongs to the cluster of the same level that has most of the sample. If two names meet in one cluster, that with the larger share
 * of its sample there is shown; the other one is shown again when the cluster is split. Merged clusters are one wherever clusters are read.
 * An edit that is taken back stays stored while the history can bring it back (`holds`).
 */
export class ClusterEdits {
  readonly #rows: ClusterEditRepository;
  readonly #versions: DataVersions;
  readonly #resolved = new WeakMap<ClusterIndex, Resolved>();
  readonly #merged = new WeakMap<ClusterIndex, { version: number; clusters: ClusterIndex }>();

  constructor({ db, versions }: { db: Database.Database; versions: DataVersions }) {
    this.#rows = new ClusterEditRepository(db);
    this.#versions = versions;
  }

  /** Changes whenever an edit changes. */
  get version(): number {
    return this.#versions.clusterEdits;
  }

  /** Returns the clusters of a level with the merged ones united. */
  merge(entityType: EntityType, level: number, clusters: ClusterIndex): ClusterIndex {
    const { version } = this;
    if (version === 0) return clusters;
    const known = this.#merged.get(clusters);
    if (known?.version === version) return known.clusters;
    const groups = this.#rows
      .list('merged', entityType, level)
      .map(({ parts }) => parts.flatMap((part) => claimOf(part, clusters)?.cluster ?? []));
    const merged = groups.length === 0 ? clusters : clusters.merged(groups);
    this.#merged.set(clusters, { version, clusters: merged });
    return merged;
  }

  named(entityType: EntityType, level: number, clusters: ClusterIndex): Resolved['named'] {
    return this.#of(entityType, level, clusters).named;
  }

  hidden(entityType: EntityType, level: number, clusters: ClusterIndex): Resolved['hidden'] {
    return this.#of(entityType, level, clusters).hidden;
  }

  /** Returns the ids of the edits that merged other clusters into a cluster. */
  mergesOf(entityType: EntityType, level: number, clusters: ClusterIndex, cluster: number): number[] {
    return this.#rows
      .list('merged', entityType, level)
      .filter(({ parts }) => parts.some((part) => claimOf(part, clusters)?.cluster === cluster))
      .map(({ cluster_edit_id }) => cluster_edit_id);
  }

  isMerged(entityType: EntityType, level: number, clusters: ClusterIndex, cluster: number): boolean {
    return this.version > 0 && this.#of(entityType, level, clusters).merged.has(cluster);
  }

  #of(entityType: EntityType, level: number, clusters: ClusterIndex): Resolved {
    const { version } = this;
    const known = this.#resolved.get(clusters);
    if (known?.version === version) return known;
    const claims = (kind: ClusterEditKind) =>
      this.#rows.list(kind, entityType, level).flatMap(({ cluster_edit_id: id, name, parts: [part] }) => {
        const claim = part && claimOf(part, clusters);
        return claim ? [{ id, name, ...claim }] : [];
      });
    const named = claims('name').sort((a, b) => a.share - b.share);
    const resolved: Resolved = {
      version,
      // The strongest claim is set last.
      named: new Map(named.map(({ cluster, id, name }) => [cluster, { id, name }])),
      merged: new Set(
        this.#rows
          .list('merged', entityType, level)
          .flatMap(({ parts }) => parts.flatMap((part) => claimOf(part, clusters)?.cluster ?? [])),
      ),
      hidden: new Map(
        [...Map.groupBy(claims('hidden'), ({ cluster }) => cluster)].map(([cluster, of]) => [
          cluster,
          of.map(({ id }) => id),
        ]),
      ),
    };
    this.#resolved.set(clusters, resolved);
    return resolved;
  }
}

/** Returns at most {@link MAX_MEMBERS} rows of a cluster, evenly spaced. */
export function sampleMembers(rows: Int32Array): Int32Array {
  const n = Math.min(rows.length, MAX_MEMBERS);
  return Int32Array.from({ length: n }, (_, at) => rows[Math.floor((at * rows.length) / n)] as number);
}

/** Returns the cluster that has most of the members, and their share in it; undefined if no member is in a cluster. */
function claimOf(members: Int32Array, clusters: ClusterIndex): { cluster: number; share: number } | undefined {
  const counts = new Map<number, number>();
  for (const row of members) {
    const cluster = clusters.clusterOf(row);
    if (cluster >= 0) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most && { cluster: most[0], share: most[1] / members.length };
}
