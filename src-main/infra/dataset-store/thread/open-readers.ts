import { join } from 'node:path';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { StoreReads } from '../../../core/ports/dataset-store.ts';
import { openReadOnly } from '../../sqlite/open-database.ts';
import type { Answered } from '../../threads/answered.ts';
import { openVectorEngine } from '../../vectors/open-engine.ts';
import { LocalAnnotationReads } from '../annotations/local-annotation-reads.ts';
import { LocalChangeReads } from '../changes/local-change-reads.ts';
import { VectorSpaces } from '../disk/vector-spaces.ts';
import { LocalDuplicateReads } from '../duplicates/local-duplicate-reads.ts';
import { LocalEditReads } from '../edits/local-edit-reads.ts';
import { LocalEnrichmentReads } from '../enrichment/local-enrichment-reads.ts';
import { ClusterLister } from '../explore/cluster-lister.ts';
import { ItemLister } from '../explore/item-lister.ts';
import { LocalExploreReads } from '../explore/local-explore-reads.ts';
import { PlanCounter } from '../explore/plan-counter.ts';
import { PlanFinder } from '../explore/plan-finder.ts';
import { RowSelector } from '../explore/row-selector.ts';
import { LocalIntakeReads } from '../intake/local-intake-reads.ts';
import { LocalIssueReads } from '../issues/local-issue-reads.ts';
import { LocalItemReads } from '../items/local-item-reads.ts';
import { LocalMapReads } from '../map/local-map-reads.ts';
import { LocalMetadataReads } from '../metadata/local-metadata-reads.ts';
import { ClusterIds } from '../read/cluster-ids.ts';
import { ClusterViews } from '../read/cluster-views.ts';
import { Columns } from '../read/columns.ts';
import { CustomValues } from '../read/custom-values.ts';
import { DataVersions } from '../read/data-versions.ts';
import { DuplicateGroups } from '../read/duplicate-groups.ts';
import { EditedRows } from '../read/edited-rows.ts';
import { ExportedItems } from '../read/exported-items.ts';
import { IndexReader } from '../read/index-reader.ts';
import { ItemDetailsReader } from '../read/item-details.ts';
import { LiveRows } from '../read/live-rows.ts';
import { LostVectors } from '../read/lost-vectors.ts';
import { MapColours } from '../read/map-colours.ts';
import { MediaLocations } from '../read/media-locations.ts';
import { Projections } from '../read/projections.ts';
import { RowMatcher } from '../read/row-matcher.ts';
import { RowOrders } from '../read/row-orders.ts';
import { RowRanker } from '../read/row-ranker.ts';
import { StoreCounter } from '../read/store-counter.ts';
import { AnnotationRepository } from '../rows/annotation.repository.ts';
import { AnnotationProblemRepository } from '../rows/annotation-problem.repository.ts';
import { BatchRepository } from '../rows/batch.repository.ts';
import { CustomMetadataRepository } from '../rows/custom-metadata.repository.ts';
import { DuplicatePairRepository } from '../rows/duplicate-pair.repository.ts';
import { EditRepository } from '../rows/edit.repository.ts';
import { FileReportRepository } from '../rows/file-report.repository.ts';
import { LostPartRepository } from '../rows/lost-part.repository.ts';
import { MediaRepository } from '../rows/media.repository.ts';
import { MetaRepository } from '../rows/meta.repository.ts';
import { ModelResultRepository } from '../rows/model-result.repository.ts';
import { ObjectRepository } from '../rows/object.repository.ts';
import { OrphanedFramesRepository } from '../rows/orphaned-frames.repository.ts';
import { PendingBoxRepository } from '../rows/pending-box.repository.ts';
import { RowSetRepository } from '../rows/row-set.repository.ts';
import { SourceRepository } from '../rows/source.repository.ts';
import { TagRepository } from '../rows/tag.repository.ts';
import { WatchedFilesRepository } from '../rows/watched-files.repository.ts';
import { LocalVectorReads } from '../vectors/local-vector-reads.ts';
import type { ReaderStart } from './store-location.ts';

/** The reading half of the store, as the thread answers it. */
export type ReadSubjects = { readonly [Subject in keyof StoreReads]: Answered<StoreReads[Subject]> };

/** Opens a generation for reading, over a connection of its own. */
export function openReaders({ folder, dataFolder, dataset_id, memories }: ReaderStart) {
  const db = openReadOnly(join(folder, 'data.db'));
  const files = new FileReportRepository(db);
  const media = new MediaRepository(db);
  const meta = new MetaRepository(db);
  const objects = new ObjectRepository(db);
  const models = new ModelResultRepository(db);
  const versions = new DataVersions(meta);
  const live = new LiveRows(db, versions);
  const index = new IndexReader(folder, meta, live);
  const engine = openVectorEngine(
    { folder },
    {
      memories,
      state: {
        indexed: (space, entityType) => index.published(space, entityType),
        vectorsState: () => versions.vectors,
      },
    },
  );
  const vectors = new VectorSpaces(meta, engine);
  const clusterIds = new ClusterIds(dataset_id);
  const rows = { files, media, objects };
  const locations = new MediaLocations({ ...rows, folder, dataFolder });
  const edits = new EditedRows(new RowSetRepository(db), versions);
  const tags = new TagRepository(db);
  const metadata = new CustomMetadataRepository(db);
  const parts = {
    ...rows,
    db,
    models,
    annotations: new AnnotationRepository(db),
    vectors,
    index,
    clusterIds,
    versions,
    edits,
    custom: new CustomValues(metadata, versions),
    tags,
    lost: new LostVectors(new LostPartRepository(db), versions),
  };
  const pairs = new DuplicatePairRepository(db);
  const duplicates = new DuplicateGroups(pairs, versions);
  const projections = new Projections({ ...parts, folder, meta });
  const matcher = new RowMatcher({
    ...parts,
    columns: new Columns({ ...parts, folder }),
    duplicates,
    projections,
  });
  const counter = new StoreCounter({ ...parts, matcher });
  const views = new ClusterViews(parts);
  const orders = new RowOrders(parts);
  const ranker = new RowRanker({ ...parts, matcher });
  const finder = new PlanFinder({ media, matcher, ranker });
  const clusters = new ClusterLister({ finder, index, matcher, ranker, views, clusterIds });
  const countRows = (entityType: EntityType) => (entityType === 'IMAGES' ? media.count() : objects.rows());
  const vectorReads = new LocalVectorReads({ vectors, index, live, models, countRows });
  const subjects = {
    items: new LocalItemReads({ details: new ItemDetailsReader(parts), locations, media, counter }),
    explore: new LocalExploreReads({
      items: new ItemLister({ finder, matcher, views, orders }),
      clusters,
      counter: new PlanCounter({ finder, matcher, views, tags }),
      selector: new RowSelector({ db, matcher, finder, clusters }),
      index,
    }),
    edits: new LocalEditReads({ log: new EditRepository(db), tags, edits, matcher }),
    vectors: vectorReads,
    duplicates: new LocalDuplicateReads({ ...parts, matcher, meta, duplicates, pairs, views }),
    issues: new LocalIssueReads({ finder, matcher, media, objects }),
    map: new LocalMapReads({ colours: new MapColours({ ...parts, orders }), finder, matcher, views }),
    intake: new LocalIntakeReads({
      sources: new SourceRepository(db),
      batches: new BatchRepository(db),
      files,
      boxes: new PendingBoxRepository(db),
      countUnindexed: (entityType) => vectorReads.countUnindexed(entityType),
    }),
    changes: new LocalChangeReads({
      watched: new WatchedFilesRepository(db, dataFolder),
      orphanedFrames: new OrphanedFramesRepository(db),
    }),
    annotations: new LocalAnnotationReads(new AnnotationProblemRepository(db)),
    metadata: new LocalMetadataReads(metadata),
    enrichment: new LocalEnrichmentReads({ models, meta, dataFolder, countRows }),
  } satisfies ReadSubjects;
  const exported = new ExportedItems({ ...parts, metadata, matcher, dataFolder });
  return { db, meta, subjects, exported, finder, matcher, counter, index, engine, vectors, projections };
}
