import type { MediaRepository } from '../rows/media.repository.ts';
import type { ModelResultRepository } from '../rows/model-result.repository.ts';
import { CaptionTable } from './caption-table.ts';
import type { DataVersions } from './data-versions.ts';
import { FilledByPieces } from './filled-by-pieces.ts';

interface Parts {
  media: MediaRepository;
  models: ModelResultRepository;
  versions: DataVersions;
}

/** The vectors of captions in memory. */
export function captionVectors({ media, models, versions }: Parts): FilledByPieces<CaptionTable> {
  return new FilledByPieces({
    state: () => `${versions.rows} ${versions.said}`,
    empty: () => new CaptionTable(models.countCaptionVectors()),
    endRow: () => media.endRow(),
    fill: (table, from, to) => {
      for (const { row, vector } of models.captionVectors(from, to)) table.add(row, vector);
    },
  });
}
