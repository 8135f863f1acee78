import type { MetadataValue } from '../../../contract/schemas/custom-metadata.ts';
import { DUPLICATE_LEVELS } from '../../../contract/schemas/duplicates.ts';
import { ISSUES_OF_OBJECTS } from '../../../contract/schemas/issues.ts';
import type { FoundIssue, ItemDetails, ItemRow, ObjectItem } from '../../../core/ports/explored.ts';
import type { ChosenItems } from '../../../core/ports/exports.ts';
import type { IssueLimits } from '../../../core/ports/issues.ts';
import type { FieldRow } from '../../../core/ports/metadata.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { resolveLocation } from '../disk/locations.ts';
import type { AnnotationRepository } from '../rows/annotation.repository.ts';
import type { CustomMetadataRepository } from '../rows/custom-metadata.repository.ts';
import type { MediaRepository } from '../rows/media.repository.ts';
import type { ObjectRepository } from '../rows/object.repository.ts';
import type { TagRepository } from '../rows/tag.repository.ts';
import { labelsAsSaid, objectAsSaid } from './as-people-say.ts';
import { type ClusterIds, DUPLICATES_LEVEL } from './cluster-ids.ts';
import { SURE_ENOUGH } from './columns.ts';
import type { EditedRows } from './edited-rows.ts';
import type { IndexReader } from './index-reader.ts';
import type { LostVectors } from './lost-vectors.ts';
import type { RowMatcher } from './row-matcher.ts';

/** A box of an exported item. */
export interface ExportedObject extends ObjectItem {
  row: number;
  uniqueness_score: number | null;
  issues: FoundIssue[];
  /** Whether its label also counts as one of its item. */
  is_sure: boolean;
}

/** A field of custom metadata as people declared it. */
export type CustomField = Pick<FieldRow, 'field_name' | 'field_type' | 'enum_options' | 'is_multi'>;

/** An item that is exported, and its file. */
export interface ExportedFile extends ItemRow {
  size_bytes: number;
  content_hash: string;
  created_at: string;
  /** Of its file, on this machine. */
  path: string;
}

/** All that is known of an item that is exported. */
export interface ExportedItem extends ExportedFile {
  uniqueness_score: number | null;
  cluster_id: string | null;
  labels: ItemDetails['label_details'];
  captions: ItemDetails['caption_details'];
  tags: { name: string; assigned_date: string }[];
  /** Values of custom fields. */
  custom: MetadataValue[];
  objects: ExportedObject[];
  issues: FoundIssue[];
  /** Its group of duplicates at each level that it is in one. */
  duplicates: { threshold: number; group_id: string; confidence: number }[];
}

interface Parts {
  media: MediaRepository;
  objects: ObjectRepository;
  annotations: AnnotationRepository;
  tags: TagRepository;
  metadata: CustomMetadataRepository;
  index: IndexReader;
  matcher: RowMatcher;
  edits: EditedRows;
  lost: LostVectors;
  clusterIds: ClusterIds;
  dataFolder: string;
}

/** Gives items to exports, page by page: what is read of a page is a few statements, whatever there is in the dataset. */
export class ExportedItems {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The rows that are exported of those that were chosen: living ones, in order. */
  rowsOf({ items }: ChosenItems): RowSet {
    const { matcher } = this.#parts;
    return new RowSet(matcher.facts('IMAGES').count, new Uint32Array(items)).and(matcher.alive('IMAGES'));
  }

  /** Fields of custom metadata in the order of their declaration. */
  listFields(): CustomField[] {
    return this.#parts.metadata.list().map(({ field_name, field_type, enum_options, is_multi }) => ({
      field_name,
      field_type,
      enum_options,
      is_multi,
    }));
  }

  /** Every label that the dataset has, and the number of its class where it has one. */
  listClasses(): { label: string; class_id: number | null }[] {
    const { annotations, edits } = this.#parts;
    const stored = annotations.listClasses().filter(({ label }) => label !== '');
    const known = new Set(stored.map(({ label }) => label));
    const said = [...edits.labels('IMAGES', 0).keys(), ...edits.labels('OBJECTS', 0).keys()];
    const others = [...new Set(said)].filter((label) => !known.has(label));
    return [...stored, ...others.map((label) => ({ label, class_id: null }))];
  }

  /**
   * For each row, the least row of those that it must not be parted from: items that show the same at any level, and frames of one
   * video. Rows that are not there have -1.
   */
  tiedTo(rows: RowSet): Int32Array {
    const { matcher } = this.#parts;
    const { videoOf } = matcher.facts('IMAGES').columns.items;
    const parents = Int32Array.from({ length: rows.size }, (_, row) => (rows.has(row) ? row : -1));
    const rootOf = (row: number): number => {
      let at = row;
      while (parents[at] !== at) {
        parents[at] = parents[parents[at] as number] as number;
        at = parents[at] as number;
      }
      return at;
    };
    const tie = (a: number, b: number) => {
      const [rootA, rootB] = [rootOf(a), rootOf(b)];
      parents[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
    };
    const groups = matcher.duplicates('items', Math.min(...DUPLICATE_LEVELS));
    const firstOfGroup = new Map<number, number>();
    const firstOfVideo = new Map<number, number>();
    const tieToFirst = (firsts: Map<number, number>, key: number, row: number) => {
      if (key < 0) return;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, row);
      else tie(first, row);
    };
    rows.forEach((row) => {
      tieToFirst(firstOfGroup, groups.clusterOf(row), row);
      tieToFirst(firstOfVideo, videoOf[row] ?? -1, row);
    });
    return parents.map((parent, row) => (parent < 0 ? -1 : rootOf(row)));
  }

  /** Items of rows without what is said of them. */
  listFiles(rows: readonly number[]): ExportedFile[] {
    const { media, dataFolder } = this.#parts;
    return media.listToExport(rows).map(({ kind, root, location, ...item }) => ({
      ...item,
      path: resolveLocation(dataFolder, { kind, root }, location),
    }));
  }

  /** Reads pages of rows, with what can be told of them all at once. */
  reader(
    { objects }: ChosenItems,
    options: { level: number; limits: IssueLimits },
  ): (rows: readonly number[]) => ExportedItem[] {
    const { matcher, index, edits, clusterIds } = this.#parts;
    const facts = matcher.facts('IMAGES');
    const ofObjects = matcher.facts('OBJECTS');
    const clusters = index.clusters('IMAGES', options.level);
    const idOf = (level: number, firstRow: number) =>
      clusterIds.encode({ entity_type: 'IMAGES', level, first_row: firstRow });
    const groups = DUPLICATE_LEVELS.map((threshold) => ({
      threshold,
      clusters: matcher.duplicates('items', threshold),
    }));
    const confidences = facts.duplicateConfidences();
    const tagNames = new Map(this.#parts.tags.list().map(({ tag_id, name }) => [tag_id, name]));
    const shown = matcher.alive('OBJECTS').without(edits.excluded('OBJECTS', ofObjects.count));
    const chosen = objects ? shown.and(new RowSet(ofObjects.count, new Uint32Array(objects))) : shown;
    const issuesOf = facts.issues.ofRows(options.limits, facts);
    const issuesOfObject = ofObjects.issues.ofRows(options.limits, ofObjects, ISSUES_OF_OBJECTS);
    const uniquenessOf = this.#uniqueness('IMAGES');
    const uniquenessOfObject = this.#uniqueness('OBJECTS');
    const tagsOf = edits.tagReader('IMAGES', facts.count);
    const verdictsOf = edits.labelReader('IMAGES', facts.count);
    const verdictsOfObject = edits.labelReader('OBJECTS', ofObjects.count);

    return (rows) => {
      const { annotations } = this.#parts;
      const labels = Map.groupBy(annotations.labelsOfRows(rows), ({ row }) => row);
      const captions = Map.groupBy(annotations.allCaptionsOfRows(rows), ({ row }) => row);
      const boxes = Map.groupBy(this.#parts.objects.listOfImages(rows), ({ image_row }) => image_row);
      const items = this.listFiles(rows);
      const custom = this.#parts.metadata.listOf(items.map(({ media_id }) => media_id));
      return items.map((item): ExportedItem => {
        const { row } = item;
        const cluster = clusters?.clusterOf(row) ?? -1;
        return {
          ...item,
          uniqueness_score: uniquenessOf(row),
          cluster_id: clusters && cluster >= 0 ? idOf(options.level, clusters.firstRow(cluster)) : null,
          labels: labelsAsSaid(labels.get(row) ?? [], verdictsOf(row)),
          captions: captions.get(row) ?? [],
          tags: tagsOf(row).flatMap(({ tag_id, day }) => {
            const name = tagNames.get(tag_id);
            return name === undefined ? [] : [{ name, assigned_date: day }];
          }),
          custom: custom.get(item.media_id) ?? [],
          objects: (boxes.get(row) ?? []).flatMap(({ row: objectRow, object }): ExportedObject[] => {
            if (!chosen.has(objectRow)) return [];
            const said = objectAsSaid(object, verdictsOfObject(objectRow));
            return [
              {
                ...said,
                row: objectRow,
                uniqueness_score: uniquenessOfObject(objectRow),
                issues: issuesOfObject(objectRow),
                is_sure: said.confidence === null || said.confidence >= SURE_ENOUGH,
              },
            ];
          }),
          issues: issuesOf(row),
          duplicates: groups.flatMap(({ threshold, clusters: level }) => {
            const group = level.clusterOf(row);
            if (group < 0) return [];
            const groupId = idOf(DUPLICATES_LEVEL, level.firstRow(group));
            return [{ threshold, group_id: groupId, confidence: confidences.get(row) ?? threshold }];
          }),
        };
      });
    };
  }

  #uniqueness(entityType: 'IMAGES' | 'OBJECTS'): (row: number) => number | null {
    const lost = this.#parts.lost.of('looks', entityType);
    const scores = this.#parts.index.scores(entityType);
    return (row) => (lost.has(row) ? null : (scores[row] ?? null));
  }
}
