import type { Message } from '../../../contract/messages.ts';
import type { BoxCursor, BoxResult, ImageOfBoxes } from '../../../core/ports/boxes.ts';
import type { Ids } from '../../../core/ports/clock.ts';
import { systemClock } from '../../clock.ts';
import type { LiveRows } from '../columns/live-rows.ts';
import { resolveLocation } from '../disk/locations.ts';
import { moveEdits } from '../edits/move-edits.ts';
import type { RowAppender } from '../intake/row-appender.ts';
import type { WriterRows } from '../thread/writer-rows.ts';

type Described = BoxResult & { ok: true };

/** Turns pending boxes into objects. */
export class ObjectStore {
  readonly #rows: WriterRows;
  readonly #live: LiveRows;
  readonly #appender: RowAppender;
  readonly #dataFolder: string;
  readonly #ids: Ids;

  constructor(parts: {
    rows: WriterRows;
    live: LiveRows;
    appender: RowAppender;
    dataFolder: string;
    ids: Ids;
  }) {
    this.#rows = parts.rows;
    this.#live = parts.live;
    this.#appender = parts.appender;
    this.#dataFolder = parts.dataFolder;
    this.#ids = parts.ids;
  }

  listBoxes(batchId: string, after: BoxCursor, limit: number): { images: ImageOfBoxes[]; after: BoxCursor } {
    const boxes = this.#rows.boxes.list(batchId, after, limit);
    const images = new Map<number, ImageOfBoxes>();
    for (const { box_id, media_row, image_width, image_height, x, y, width, height, ...file } of boxes) {
      const image = images.get(media_row) ?? {
        path: resolveLocation(this.#dataFolder, file, file.location),
        width: image_width,
        height: image_height,
        crops: [],
      };
      image.crops.push({ key: box_id, box: { x, y, width, height } });
      images.set(media_row, image);
    }
    const last = boxes.at(-1);
    return {
      images: [...images.values()],
      after: last ? { media_row: last.media_row, box_id: last.box_id } : null,
    };
  }

  async saveBoxes(results: BoxResult[]): Promise<void> {
    const found = new Map(results.map(({ key }) => [key, this.#rows.boxes.find(key)]));
    const waiting = results.filter(({ key }) => found.get(key) !== undefined);
    const described = waiting.filter((result): result is Described => result.ok);
    const now = systemClock.iso();
    await this.#appender.append((add) => {
      for (const result of described) {
        const { row, slot } = add(result);
        const { caption = null, caption_source = null, failure } = result;
        const replaced = found.get(result.key)?.object_id ?? null;
        const before = replaced === null ? undefined : this.#rows.objects.find(replaced);
        if (before) moveEdits(this.#rows, 'OBJECTS', { from: before.row, to: row });
        this.#rows.objects.insert(row, this.#ids.uuid(), result.key, slot, now, { caption, caption_source });
        const mediaId = failure && this.#rows.results.mediaOfObject(row);
        if (failure && mediaId !== undefined) {
          this.#rows.results.addFailure(mediaId, failure.model_id, failure.reason);
        }
        this.#rows.boxes.delete(result.key);
      }
      for (const result of waiting) if (!result.ok) this.#setAside(result.key, result.reason);
      // Objects that existed before have new rows now.
      if (waiting.some(({ key }) => (found.get(key)?.object_id ?? null) !== null)) this.#live.noteChange();
    });
  }

  #setAside(boxId: number, reason: Message): void {
    const found = this.#rows.boxes.find(boxId);
    if (!found) return;
    const { batch_id, annotation_path, line, object_id } = found;
    // Boxes from a model come from no annotation file.
    if (annotation_path !== '') {
      this.#rows.problems.add({ batch_id, source_path: annotation_path, line, reason, file_key: null });
    }
    this.#rows.boxes.delete(boxId);
    if (object_id !== null) this.#rows.objects.delete(object_id);
  }
}
