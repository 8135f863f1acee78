import type Database from 'better-sqlite3';
import { AnnotatedObjectRepository } from '../annotations/annotated-object.repository.ts';
import { AnnotationFileRepository } from '../annotations/annotation-file.repository.ts';
import { AnnotationProblemRepository } from '../annotations/annotation-problem.repository.ts';
import { ImportedAnnotationRepository } from '../annotations/imported-annotation.repository.ts';
import { PendingBoxRepository } from '../annotations/pending-box.repository.ts';
import { ChangeRepository } from '../changes/change.repository.ts';
import { OrphanedFramesRepository } from '../changes/orphaned-frames.repository.ts';
import { WatchedFilesRepository } from '../changes/watched-files.repository.ts';
import { DuplicatePairRepository } from '../duplicates/duplicate-pair.repository.ts';
import { TrimmedVectorRepository } from '../duplicates/trimmed-vector.repository.ts';
import { EditRepository } from '../edits/edit.repository.ts';
import { RowSetRepository } from '../edits/row-set.repository.ts';
import { TagRepository } from '../edits/tag.repository.ts';
import { ModelResultRepository } from '../enrichment/model-result.repository.ts';
import { BatchRepository } from '../intake/batch.repository.ts';
import { FileRepository } from '../intake/file.repository.ts';
import { SourceRepository } from '../intake/source.repository.ts';
import { MediaRepository } from '../items/media.repository.ts';
import { ObjectRepository } from '../items/object.repository.ts';
import { VideoRepository } from '../items/video.repository.ts';
import { CustomMetadataRepository } from '../metadata/custom-metadata.repository.ts';
import { LostPartRepository } from '../repairs/lost-part.repository.ts';
import { TextRepository } from '../texts/text.repository.ts';

/** The repositories that writing needs, by subject, over one connection. */
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
