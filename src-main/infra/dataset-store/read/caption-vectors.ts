import type { MediaRepository } from '../rows/media.repository.ts';
import type { ModelResultRepository } from '../rows/model-result.repository.ts';
import { CaptionTable } from './caption-table.ts';
import type { DataVersions } from './data-versions.ts';

/** Items whose captions are read before others may go on: some milliseconds of work. */
const ROWS_OF_A_PIECE = 8192;

interface Parts {
  media: MediaRepository;
  models: ModelResultRepository;
  versions: DataVersions;
}

/** The vectors of captions in memory, read when they are first asked for; see [Note: Versions of columns]. */
export class CaptionVectors {
  readonly #parts: Parts;
  /** Filled with the captions of the rows below `end`. */
  #kept: { state: string; table: CaptionTable; end: number } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  table(): CaptionTable {
    let kept = this.#readPiece();
    while (kept.isMore) kept = this.#readPiece();
    return kept.table;
  }

  /** Reads them piece by piece, unless they change meanwhile: then who asks for them reads them at once. */
  *bringIn(): Generator<void> {
    const begun = this.#state();
    while (this.#state() === begun && this.#readPiece().isMore) yield;
  }

  #readPiece(): { table: CaptionTable; isMore: boolean } {
    const { media, models } = this.#parts;
    const state = this.#state();
    if (this.#kept?.state !== state) {
      this.#kept = { state, table: new CaptionTable(models.countCaptionVectors()), end: 0 };
    }
    const { table, end } = this.#kept;
    const last = media.endRow();
    if (end >= last) return { table, isMore: false };
    const next = Math.min(last, end + ROWS_OF_A_PIECE);
    for (const { row, vector } of models.captionVectors(end, next)) table.add(row, vector);
    this.#kept.end = next;
    return { table, isMore: true };
  }

  #state(): string {
    const { versions } = this.#parts;
    return `${versions.rows} ${versions.said}`;
  }
}
