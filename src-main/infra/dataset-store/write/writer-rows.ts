import type Database from 'better-sqlite3';
import { AnnotatedObjectRepository } from '../rows/annotated-object.repository.ts';
import { AnnotationFileRepository } from '../rows/annotation-file.repository.ts';
import { AnnotationProblemRepository } from '../rows/annotation-problem.repository.ts';
import { BatchRepository } from '../rows/batch.repository.ts';
import { ChangeRepository } from '../rows/change.repository.ts';
import { CustomMetadataRepository } from '../rows/custom-metadata.repository.ts';
import { DuplicatePairRepository } from '../rows/duplicate-pair.repository.ts';
import { EditRepository } from '../rows/edit.repository.ts';
import { FileRepository } from '../rows/file.repository.ts';
import { ImportedAnnotationRepository } from '../rows/imported-annotation.repository.ts';
import { LostPartRepository } from '../rows/lost-part.repository.ts';
import { MediaRepository } from '../rows/media.repository.ts';
import { ModelResultRepository } from '../rows/model-result.repository.ts';
import { ObjectRepository } from '../rows/object.repository.ts';
import { OrphanedFramesRepository } from '../rows/orphaned-frames.repository.ts';
import { PendingBoxRepository } from '../rows/pending-box.repository.ts';
import { RowSetRepository } from '../rows/row-set.repository.ts';
import { SourceRepository } from '../rows/source.repository.ts';
import { TagRepository } from '../rows/tag.repository.ts';
import { TextRepository } from '../rows/text.repository.ts';
import { TrimmedVectorRepository } from '../rows/trimmed-vector.repository.ts';
import { VideoRepository } from '../rows/video.repository.ts';
import { WatchedFilesRepository } from '../rows/watched-files.repository.ts';

/** The rows that writing needs, by subject, over one connection. */
export type WriterRows = ReturnType<typeof openWriterRows>;

export function openWriterRows(db: Database.Database, dataFolder: string) {
  const files = new FileRepository(db, dataFolder);
  const problems = new AnnotationProblemRepository(db);
  return {
    sources: new SourceRepository(db),
    batches: new BatchRepository(db),
    files,
    videos: new VideoRepository(db, files),
    orphanedFrames: new OrphanedFramesRepository(db),
    lost: new LostPartRepository(db),
    media: new MediaRepository(db),
    objects: new ObjectRepository(db),
    boxes: new PendingBoxRepository(db),
    results: new ModelResultRepository(db),
    changes: new ChangeRepository(db, dataFolder),
    watched: new WatchedFilesRepository(db, dataFolder),
    problems,
    annotationFiles: new AnnotationFileRepository(db, problems),
    texts: new TextRepository(db),
    annotations: new ImportedAnnotationRepository(db),
    annotatedObjects: new AnnotatedObjectRepository(db),
    rowSets: new RowSetRepository(db),
    tags: new TagRepository(db),
    edits: new EditRepository(db),
    metadata: new CustomMetadataRepository(db),
    duplicates: new DuplicatePairRepository(db),
    trimmed: new TrimmedVectorRepository(db),
  };
}
