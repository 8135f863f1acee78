import type { MetadataValue } from '../../../contract/schemas/custom-metadata.ts';
import { DUPLICATE_LEVELS } from '../../../contract/schemas/duplicates.ts';
import { ISSUES, ISSUES_OF_OBJECTS, type IssueName } from '../../../contract/schemas/issues.ts';
import type { ChosenItems } from '../../../core/ports/exports.ts';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import type { FoundIssue } from '../../../core/ports/issues.ts';
import type { ItemDetails, ItemRow, ObjectItem } from '../../../core/ports/items.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { type ClusterIds, DUPLICATES_LEVEL } from '../clusters/cluster-ids.ts';
import { awaitAllOf } from '../columns/pieces.ts';
import type { EditedRows } from '../edits/edited-rows.ts';
import type { TagRepository } from '../edits/tag.repository.ts';
import type { Facts, RowFacts } from '../explore/row-facts.ts';
import type { ObjectRepository } from '../items/object.repository.ts';
import type { AnnotationRepository } from '../labels/annotation.repository.ts';
import { SHOWN_CONFIDENCES } from '../labels/labels-of-rows.ts';
import { labelsWithVerdicts, objectWithVerdicts } from '../labels/with-verdicts.ts';
import type { CustomMetadataRepository } from '../metadata/custom-metadata.repository.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { LostVectors } from '../vectors/lost-vectors.ts';

/** A box of an exported item. */
export interface ExportedObject extends ObjectItem {
  row: number;
  uniqueness_score: number | null;
  issues: FoundIssue[];
  /** Whether the object's label also counts as a label of its item. */
  is_sure: boolean;
}

/** An exported item and its file. */
export interface ExportedFile extends ItemRow {
  size_bytes: number;
  content_hash: string;
  created_at: string;
  /** Absolute path of the item's file on this machine. */
  path: string;
}

/** All exported data of an item. */
export interface ExportedItem extends ExportedFile {
  uniqueness_score: number | null;
  cluster_id: string | null;
  labels: ItemDetails['label_details'];
  captions: ItemDetails['caption_details'];
  tags: { name: string; assigned_date: string }[];
  /** Values of custom metadata fields. */
  custom: MetadataValue[];
  objects: ExportedObject[];
  issues: FoundIssue[];
  /** The item's group of duplicates at each level that has one. */
  duplicates: { threshold: number; group_id: string; confidence: number }[];
}

/** Parts of an exported item other than its file. */
export type ItemPart = Exclude<keyof ExportedItem, keyof ExportedFile>;

/** @param level Level of clusters, 0 finest. */
export interface ItemOptions {
  level: number;
  limits: IssueLimits;
}

/**
 * Reads a part of a page of items in a few statements, whatever the size of the dataset.
 * @returns A function that returns the part of each item.
 */
type PartReader<Part extends ItemPart> = (
  page: readonly ExportedFile[],
) => (item: Pick<ExportedFile, 'row' | 'media_id'>) => ExportedItem[Part];

export interface PartSources {
  objects: ObjectRepository;
  annotations: AnnotationRepository;
  tags: TagRepository;
  metadata: CustomMetadataRepository;
  index: IndexReader;
  rowFacts: RowFacts;
  edits: EditedRows;
  lost: LostVectors;
  clusterIds: ClusterIds;
}

/** Readers of each part. Data of the whole dataset is read when a reader is created, so only for requested parts. */
export class PartReaders implements Record<ItemPart, () => unknown> {
  readonly #from: PartSources;
  readonly #objects: ChosenItems['objects'];
  readonly #options: ItemOptions;

  constructor(from: PartSources, { objects }: ChosenItems, options: ItemOptions) {
    this.#from = from;
    this.#objects = objects;
    this.#options = options;
  }

  uniqueness_score(): PartReader<'uniqueness_score'> {
    const uniquenessOf = this.#uniqueness('IMAGES');
    return () => (item) => uniquenessOf(item.row);
  }

  cluster_id(): PartReader<'cluster_id'> {
    const { level } = this.#options;
    const clusters = this.#from.index.clusters('IMAGES', level);
    return () => (item) => {
      const cluster = clusters?.clusterOf(item.row) ?? -1;
      return clusters && cluster >= 0 ? this.#idOf(level, clusters.firstRow(cluster)) : null;
    };
  }

  labels(): PartReader<'labels'> {
    const { annotations, edits, rowFacts } = this.#from;
    const verdictsOf = edits.labelReader('IMAGES', rowFacts.of('IMAGES').count);
    return (page) => {
      const labels = Map.groupBy(annotations.labelsOfRows(rowsOf(page)), ({ row }) => row);
      return ({ row }) => labelsWithVerdicts(labels.get(row) ?? [], verdictsOf(row));
    };
  }

  captions(): PartReader<'captions'> {
    return (page) => {
      const captions = Map.groupBy(this.#from.annotations.allCaptionsOfRows(rowsOf(page)), ({ row }) => row);
      return ({ row }) => captions.get(row) ?? [];
    };
  }

  tags(): PartReader<'tags'> {
    const { edits, rowFacts, tags } = this.#from;
    const tagsOf = edits.tagReader('IMAGES', rowFacts.of('IMAGES').count);
    const names = new Map(tags.list().map(({ tag_id, name }) => [tag_id, name]));
    return () => (item) =>
      tagsOf(item.row).flatMap((tag) => {
        const name = names.get(tag.tag_id);
        return name === undefined ? [] : [{ name, assigned_date: edits.assignedAt(tag, item.row) }];
      });
  }

  custom(): PartReader<'custom'> {
    return (page) => {
      const values = this.#from.metadata.listOf(page.map(({ media_id }) => media_id));
      return (item) => values.get(item.media_id) ?? [];
    };
  }

  async objects(): Promise<PartReader<'objects'>> {
    const { edits, index, rowFacts, objects } = this.#from;
    const facts = rowFacts.of('OBJECTS');
    const shown = index.alive('OBJECTS').without(edits.excluded('OBJECTS', facts.count));
    const chosen = this.#objects ? shown.and(new RowSet(facts.count, new Uint32Array(this.#objects))) : shown;
    const issuesOf = await this.#issuesOf(facts, ISSUES_OF_OBJECTS);
    const uniquenessOf = this.#uniqueness('OBJECTS');
    const verdictsOf = edits.labelReader('OBJECTS', facts.count);
    return (page) => {
      const boxes = Map.groupBy(objects.listOfImages(rowsOf(page)), ({ image_row }) => image_row);
      return (item) =>
        (boxes.get(item.row) ?? []).flatMap(({ row, object }): ExportedObject[] => {
          if (!chosen.has(row)) return [];
          const judged = objectWithVerdicts(object, verdictsOf(row));
          const isSure = judged.confidence === null || judged.confidence >= SHOWN_CONFIDENCES.IMAGES.of_object;
          return [{ ...judged, row, uniqueness_score: uniquenessOf(row), issues: issuesOf(row), is_sure: isSure }];
        });
    };
  }

  async issues(): Promise<PartReader<'issues'>> {
    const issuesOf = await this.#issuesOf(this.#from.rowFacts.of('IMAGES'), ISSUES);
    return () => (item) => issuesOf(item.row);
  }

  duplicates(): PartReader<'duplicates'> {
    const { duplicates } = this.#from.rowFacts.of('IMAGES');
    const groups = DUPLICATE_LEVELS.map((threshold) => [threshold, duplicates.items(threshold)] as const);
    return () => (item) =>
      groups.flatMap(([threshold, level]) => {
        const group = level.clusterOf(item.row);
        if (group < 0) return [];
        const groupId = this.#idOf(DUPLICATES_LEVEL, level.firstRow(group));
        return [{ threshold, group_id: groupId, confidence: level.confidenceOf(item.row) }];
      });
  }

  async #issuesOf(facts: Facts, issues: readonly IssueName[]): Promise<(row: number) => FoundIssue[]> {
    const { limits } = this.#options;
    await awaitAllOf(facts.issues.make(issues, limits, () => facts));
    return facts.issues.ofRows(limits, facts, issues);
  }

  #idOf(level: number, firstRow: number): string {
    return this.#from.clusterIds.encode({ entity_type: 'IMAGES', level, first_row: firstRow });
  }

  #uniqueness(entityType: 'IMAGES' | 'OBJECTS'): (row: number) => number | null {
    const lost = this.#from.lost.of('looks', entityType);
    const scores = this.#from.index.scores(entityType);
    return (row) => (lost.has(row) ? null : (scores[row] ?? null));
  }
}

function rowsOf(page: readonly ExportedFile[]): number[] {
  return page.map(({ row }) => row);
}
