import { message } from '../../../contract/messages.ts';
import type { DescribedImage } from '../../../core/ports/local-jobs.ts';
import type { ThumbnailSlot } from '../disk/thumbnail-packs.ts';
import { moveEdits } from '../edits/move-edits.ts';
import type { WriterRows } from '../thread/writer-rows.ts';

/**
 * Gives an item new content under its id. If the image has the same size as before, its annotated objects wait to be described again. Boxes
 * on an image of another size are invalid: they are removed, and each is recorded as a problem of its annotation file. Joins the caller's
 * transaction.
 */
export function replaceContent(
  rows: WriterRows,
  {
    batch_id,
    media_id,
    row,
    image,
    slot,
  }: {
    batch_id: string;
    media_id: string;
    row: number;
    image: DescribedImage;
    slot: ThumbnailSlot;
  },
): void {
  const { media, results, annotatedObjects, problems } = rows;
  const before = media.find(media_id);
  media.replace(media_id, row, image, slot);
  results.forgetFailures(media_id);
  if (before === undefined) return;
  moveEdits(rows, 'IMAGES', { from: before.row, to: row });
  if (before.width === image.width && before.height === image.height) {
    annotatedObjects.redoOfMedia(media_id, row, batch_id);
    return;
  }
  const { width, height } = before;
  const change = {
    file: before.file_path,
    width: image.width,
    height: image.height,
    old_width: width,
    old_height: height,
  };
  for (const removed of annotatedObjects.deleteOfMedia(media_id)) {
    problems.add({
      batch_id: removed.batch_id,
      source_path: removed.annotation_path ?? before.file_path,
      line: null,
      reason: message('object_of_changed_image', { ...change, label: removed.label }),
      file_key: before.file_path,
    });
  }
}
