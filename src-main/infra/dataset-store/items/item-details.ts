import type { Exif } from '../../../core/ports/exif.ts';
import type { ItemDetails, ObjectItem } from '../../../core/ports/items.ts';
import type { ClusterIds } from '../clusters/cluster-ids.ts';
import type { EditedRows } from '../edits/edited-rows.ts';
import type { TagRepository } from '../edits/tag.repository.ts';
import type { AnnotationRepository } from '../labels/annotation.repository.ts';
import { labelsWithVerdicts, objectWithVerdicts } from '../labels/with-verdicts.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { LostVectors } from '../vectors/lost-vectors.ts';
import type { MediaRepository } from './media.repository.ts';
import type { ObjectRepository } from './object.repository.ts';
import { qualityOf } from './quality-columns.ts';

interface Parts {
  media: MediaRepository;
  objects: ObjectRepository;
  annotations: AnnotationRepository;
  tags: TagRepository;
  index: IndexReader;
  lost: LostVectors;
  edits: EditedRows;
  clusterIds: ClusterIds;
}

/** Reads all data of single items. */
export class ItemDetailsReader {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param labelConfidence Minimum confidence of labels from models; undefined for the default. */
  find(mediaId: string, labelConfidence?: number): ItemDetails | undefined {
    const { media, annotations, index, lost, edits, clusterIds } = this.#parts;
    const found = media.find(mediaId);
    if (!found) return undefined;
    const { row } = found;
    return {
      row,
      media_id: found.media_id,
      media_type: found.media_type,
      file_path: found.file_path,
      width: found.width,
      height: found.height,
      video_id: found.video_id,
      frame_number: found.frame_number,
      frame_timestamp: found.frame_timestamp,
      video_codec: found.video_codec,
      format: found.format,
      pages: found.pages,
      content_hash: found.content_hash,
      size_bytes: found.size_bytes,
      mtime_ms: found.mtime_ms,
      created_at: found.created_at,
      uniqueness_score: lost.of('looks', 'IMAGES').has(row) ? null : index.uniqueness('IMAGES', row),
      quality: qualityOf(found),
      exif: found.exif === null ? null : (JSON.parse(found.exif) as Exif),
      label_details: this.#labels(mediaId, row, labelConfidence),
      caption_details: annotations.captionsOf(mediaId),
      objects: this.#objects(mediaId),
      tags: this.#tags(row),
      excluded: edits.isExcluded('IMAGES', row),
      cluster_ids: index
        .clusterKeysOf('IMAGES', row)
        .map(({ level, first_row }) => clusterIds.encode({ entity_type: 'IMAGES', level, first_row })),
    };
  }

  #labels(mediaId: string, row: number, least: number | undefined): ItemDetails['label_details'] {
    const { annotations, edits } = this.#parts;
    return labelsWithVerdicts(annotations.labelsOf(mediaId, least), edits.labelsOf('IMAGES', row));
  }

  /** Returns the objects of an image, without excluded ones. */
  #objects(mediaId: string): ObjectItem[] {
    const { objects, index, edits } = this.#parts;
    return objects
      .listOfMedia(mediaId, index.count('OBJECTS'))
      .flatMap(({ row, object }) =>
        edits.isExcluded('OBJECTS', row) ? [] : [objectWithVerdicts(object, edits.labelsOf('OBJECTS', row))],
      );
  }

  #tags(row: number): ItemDetails['tags'] {
    const { tags, edits } = this.#parts;
    const byId = new Map(tags.list().map((tag) => [tag.tag_id, tag.name]));
    return edits.tagsOf('IMAGES', row).flatMap((tag) => {
      const { tag_id } = tag;
      const name = byId.get(tag_id);
      return name === undefined ? [] : [{ tag_id, name, assigned_date: edits.assignedAt(tag, row) }];
    });
  }
}
