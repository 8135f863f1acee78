import type { DataVersions } from '../columns/data-versions.ts';
import { FilledByPieces } from '../columns/filled-by-pieces.ts';
import type { ModelResultRepository } from '../enrichment/model-result.repository.ts';
import type { MediaRepository } from '../items/media.repository.ts';
import { CaptionTable } from './caption-table.ts';

interface Parts {
  media: MediaRepository;
  models: ModelResultRepository;
  versions: DataVersions;
}

/** The vectors of captions in memory. */
export function captionVectors({ media, models, versions }: Parts): FilledByPieces<CaptionTable> {
  return new FilledByPieces({
    state: () => `${versions.rows} ${versions.annotations}`,
    empty: () => new CaptionTable(models.countCaptionVectors()),
    endRow: () => media.endRow(),
    fill: (table, from, to) => {
      for (const { row, vector } of models.captionVectors(from, to)) table.add(row, vector);
    },
  });
}
