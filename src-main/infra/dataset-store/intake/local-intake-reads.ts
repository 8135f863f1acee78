import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { FileProblemKind } from '../../../core/ports/dataset-files.ts';
import type { BatchSummary, SourceSummary } from '../../../core/ports/dataset-sources.ts';
import type { IntakeReads } from '../../../core/ports/intake.ts';
import type { Answered } from '../../threads/answered.ts';
import type { PendingBoxRepository } from '../annotations/pending-box.repository.ts';
import type { BatchRepository } from './batch.repository.ts';
import type { FileReportRepository } from './file-report.repository.ts';
import type { SourceRepository } from './source.repository.ts';

interface Parts {
  sources: SourceRepository;
  batches: BatchRepository;
  files: FileReportRepository;
  boxes: PendingBoxRepository;
  countUnindexed: (entityType: EntityType) => number;
}

export class LocalIntakeReads implements Answered<IntakeReads> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  listSources(): SourceSummary[] {
    return this.#parts.sources.list();
  }

  sampleLocations(sourceId: string, limit: number): string[] {
    return this.#parts.sources.sample(sourceId, limit);
  }

  listBatches(): BatchSummary[] {
    return this.#parts.batches.list();
  }

  listFileErrors(query: { kind: FileProblemKind | null; batch_id: string | null; offset: number; limit: number }) {
    return this.#parts.files.listErrors(query);
  }

  countStoredBytes(): number {
    return this.#parts.sources.countStoredBytes();
  }

  countUnfinished(): number {
    const { boxes, countUnindexed } = this.#parts;
    return ENTITY_TYPES.reduce((sum, entityType) => sum + countUnindexed(entityType), boxes.countOfWatches());
  }
}
