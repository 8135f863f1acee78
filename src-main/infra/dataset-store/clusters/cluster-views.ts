import { MAX_PREVIEWS } from '../../../contract/schemas/explore.ts';
import type { ClusterView } from '../../../core/ports/explore.ts';
import type { ScoredItem } from '../../../core/ports/items.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { TagRepository } from '../edits/tag.repository.ts';
import type { Facts } from '../explore/row-facts.ts';
import type { MediaRepository } from '../items/media.repository.ts';
import type { ObjectRepository } from '../items/object.repository.ts';
import type { AnnotationRepository } from '../labels/annotation.repository.ts';
import type { EffectiveLabels } from '../labels/effective-labels.ts';
import type { ClusterEdits } from './cluster-edits.ts';
import type { ClusterGroup } from './cluster-groups.ts';
import type { ClusterIds } from './cluster-ids.ts';
import type { ClusterIndex } from './cluster-index.ts';
import { suggestName } from './suggest-name.ts';

/** Maximum number of labels, and of tags, shown for a cluster. */
const CLUSTER_LABELS = 3;
/** Maximum number of labels considered for the name of a cluster. */
const MAX_NAMES = 10;
/** Number of rows from which the label counts of a whole cluster are cached: first pages show the largest clusters. */
const LARGE_CLUSTER = 256;

interface Parts {
  media: MediaRepository;
  objects: ObjectRepository;
  annotations: AnnotationRepository;
  tags: TagRepository;
  clusterIds: ClusterIds;
  clusterEdits: ClusterEdits;
}

type FrequentLabels = ReturnType<EffectiveLabels['mostFrequent']>;

/** The grouping of the matches: clusters at a level, or duplicates at a confidence. */
export interface Grouping {
  clusters: ClusterIndex;
  level: number;
  duplicates_at: number | null;
  /** The groups are of videos, each represented by one frame. */
  of_videos?: boolean;
}

/** Converts clusters and items to the form in which they are shown. */
export class ClusterViews {
  readonly #parts: Parts;
  /** Label counts of large clusters, valid while neither labels nor clusters change. */
  readonly #counted = new WeakMap<EffectiveLabels, WeakMap<ClusterIndex, Map<number, FrequentLabels>>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param frames All matching frames, if the rows represent videos. */
  view(
    groups: readonly ClusterGroup[],
    { clusters, level, duplicates_at, of_videos }: Grouping,
    facts: Facts,
    frames?: RowSet,
  ): ClusterView[] {
    const framesOf = frames && framesByVideo(groups, frames, facts);
    const items = this.items(
      facts,
      groups.flatMap((group) => [...previewed(group)]),
    );
    const tags = this.#parts.tags.list().map(({ tag_id, name }) => ({
      name,
      rows: facts.edits.tagged(facts.entity_type, tag_id, facts.count),
    }));
    const named =
      duplicates_at === null ? this.#parts.clusterEdits.named(facts.entity_type, level, clusters) : undefined;
    const stored = facts.columns.labels.IMAGES;
    const hasGuesses = ({ rows }: ClusterGroup) => facts.entity_type === 'IMAGES' && rows.length > 1;
    return groups.map((group) => {
      const { cluster, rows, distances } = group;
      const key = {
        entity_type: facts.entity_type,
        level,
        first_row: clusters.firstRow(cluster),
        ...(of_videos && { of_videos }),
      };
      const previews = [...previewed(group)].flatMap((row, at) => {
        const item = items.get(row);
        return item ? [{ ...item, distance: distances?.[at] ?? null }] : [];
      });
      const labels = this.#labelsOf(group, clusters, facts.labels);
      return {
        cluster_id: this.#parts.clusterIds.encode(key),
        level,
        duplicates_at,
        ...(framesOf ? countVideos(rows, facts, framesOf) : countTypes(rows, facts)),
        labels: labels.slice(0, CLUSTER_LABELS).map(({ name }) => name),
        tags: mostFrequentTags(rows, tags),
        name: named?.get(cluster)?.name ?? null,
        suggested_name: suggestName({
          size: rows.length,
          labels,
          totalOf: (label) => facts.labels.totalOf(label, facts.count),
          nItems: facts.count,
          captions: previews.flatMap(({ caption }) => caption ?? []),
          guesses: () => (hasGuesses(group) ? previews.flatMap(({ row }) => stored.guessesOf(row)) : []),
          nSampled: previews.length,
        }),
        is_merged:
          duplicates_at === null && this.#parts.clusterEdits.isMerged(facts.entity_type, level, clusters, cluster),
        distance: distances?.[0] ?? null,
        previews,
      };
    });
  }

  #labelsOf({ cluster, rows }: ClusterGroup, clusters: ClusterIndex, labels: EffectiveLabels): FrequentLabels {
    if (rows.length < Math.max(LARGE_CLUSTER, clusters.size(cluster))) return labels.mostFrequent(rows, MAX_NAMES);
    const ofLevels = this.#counted.get(labels) ?? new WeakMap<ClusterIndex, Map<number, FrequentLabels>>();
    this.#counted.set(labels, ofLevels);
    const ofClusters = ofLevels.get(clusters) ?? new Map<number, FrequentLabels>();
    ofLevels.set(clusters, ofClusters);
    const counted = ofClusters.get(cluster) ?? labels.mostFrequent(rows, MAX_NAMES);
    ofClusters.set(cluster, counted);
    return counted;
  }

  /** Returns items by row; rows that no longer exist are left out. */
  items(facts: Facts, rows: readonly number[]): Map<number, ScoredItem> {
    const { media, objects, annotations, tags } = this.#parts;
    const names = new Map(tags.list().map(({ tag_id, name }) => [tag_id, name]));
    const tagsOf = facts.edits.tagReader(facts.entity_type, facts.count);
    const people = (row: number) => ({
      labels: facts.labels.labelsOf(row),
      tags: tagsOf(row).flatMap(({ tag_id }) => names.get(tag_id) ?? []),
    });
    if (facts.entity_type === 'OBJECTS') {
      const found = objects.listByRows(rows);
      return new Map(
        found.map(({ row, object, image }) => [
          row,
          { ...image, row, object, ...people(row), caption: object.caption, distance: null },
        ]),
      );
    }
    const captions = annotations.captionsOfRows(rows);
    return new Map(
      media.listByRows(rows).map((item) => {
        const caption = captions.get(item.row) ?? null;
        return [item.row, { ...item, object: null, ...people(item.row), caption, distance: null }];
      }),
    );
  }
}

function previewed({ rows }: ClusterGroup): Int32Array {
  return rows.subarray(0, MAX_PREVIEWS);
}

function mostFrequentTags(rows: Int32Array, tags: readonly { name: string; rows: RowSet }[]): string[] {
  const counted = tags.map(({ name, rows: tagged }) => ({ name, count: tagged.countIn(rows) }));
  const found = counted.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  return found.slice(0, CLUSTER_LABELS).map(({ name }) => name);
}

/** Counts the images, objects, video frames and videos that rows belong to. */
function countTypes(rows: Int32Array, { entity_type, columns }: Facts) {
  const images = entity_type === 'OBJECTS' ? imagesOf(rows, columns.imageOf) : rows;
  const { videoOf, nVideos } = columns.items;
  const videos = new Set<number>();
  let nFrames = 0;
  for (const row of nVideos > 0 ? images : []) {
    const video = videoOf[row] ?? -1;
    if (video < 0) continue;
    nFrames += 1;
    videos.add(video);
  }
  const nObjects = entity_type === 'OBJECTS' ? rows.length : 0;
  return { n_images: images.length - nFrames, n_objects: nObjects, n_frames: nFrames, n_videos: videos.size };
}

/** Counts the given frames of each video that represents a group. */
function framesByVideo(groups: readonly ClusterGroup[], frames: RowSet, { columns }: Facts): Map<number, number> {
  const { videoOf } = columns.items;
  const counts = new Map<number, number>();
  for (const { rows } of groups) for (const row of rows) counts.set(videoOf[row] ?? -1, 0);
  frames.forEach((row) => {
    const count = counts.get(videoOf[row] ?? -1);
    if (count !== undefined) counts.set(videoOf[row] ?? -1, count + 1);
  });
  return counts;
}

function countVideos(rows: Int32Array, { columns }: Facts, framesOf: Map<number, number>) {
  const { videoOf } = columns.items;
  const videos = new Set(Array.from(rows, (row) => videoOf[row] ?? -1));
  const nFrames = [...videos].reduce((sum, video) => sum + (framesOf.get(video) ?? 0), 0);
  return { n_images: 0, n_objects: 0, n_frames: nFrames, n_videos: videos.size };
}

function imagesOf(objects: Int32Array, imageOf: Int32Array): Int32Array {
  return Int32Array.from(new Set(Array.from(objects, (row) => imageOf[row] ?? -1)));
}
