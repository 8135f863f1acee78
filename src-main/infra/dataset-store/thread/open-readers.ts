import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { StoreReads } from '../../../core/ports/dataset-store.ts';
import type { PagePresenter } from '../../../core/ports/pages.ts';
import { openReadOnly } from '../../sqlite/open-database.ts';
import type { Answered } from '../../threads/answered.ts';
import { openVectorEngine } from '../../vectors/open-engine.ts';
import { AnnotationProblemRepository } from '../annotations/annotation-problem.repository.ts';
import { LocalAnnotationReads } from '../annotations/local-annotation-reads.ts';
import { PendingBoxRepository } from '../annotations/pending-box.repository.ts';
import { LocalChangeReads } from '../changes/local-change-reads.ts';
import { OrphanedFramesRepository } from '../changes/orphaned-frames.repository.ts';
import { WatchedFilesRepository } from '../changes/watched-files.repository.ts';
import { ComparedPairs } from '../charts/compared-pairs.ts';
import { LocalChartReads } from '../charts/local-chart-reads.ts';
import { ClusterEdits } from '../clusters/cluster-edits.ts';
import { ClusterIds } from '../clusters/cluster-ids.ts';
import { ClusterViews } from '../clusters/cluster-views.ts';
import { Columns } from '../columns/columns.ts';
import { DataVersions } from '../columns/data-versions.ts';
import { LiveRows } from '../columns/live-rows.ts';
import { MetaRepository } from '../disk/meta.repository.ts';
import { DuplicateGroups } from '../duplicates/duplicate-groups.ts';
import { DuplicatePairRepository } from '../duplicates/duplicate-pair.repository.ts';
import { LocalDuplicateReads } from '../duplicates/local-duplicate-reads.ts';
import { ShownDuplicates } from '../duplicates/shown-duplicates.ts';
import { EditRepository } from '../edits/edit.repository.ts';
import { EditedRows } from '../edits/edited-rows.ts';
import { LocalEditReads } from '../edits/local-edit-reads.ts';
import { RowSetRepository } from '../edits/row-set.repository.ts';
import { TagRepository } from '../edits/tag.repository.ts';
import { LocalEnrichmentReads } from '../enrichment/local-enrichment-reads.ts';
import { ModelResultRepository } from '../enrichment/model-result.repository.ts';
import { ClusterLister } from '../explore/cluster-lister.ts';
import { ItemLister } from '../explore/item-lister.ts';
import { LocalExploreReads } from '../explore/local-explore-reads.ts';
import { LocalPageReads } from '../explore/local-page-reads.ts';
import { PlanCounter } from '../explore/plan-counter.ts';
import { PlanFinder } from '../explore/plan-finder.ts';
import { RowFacts } from '../explore/row-facts.ts';
import { RowMatcher } from '../explore/row-matcher.ts';
import { RowOrders } from '../explore/row-orders.ts';
import { RowRanker } from '../explore/row-ranker.ts';
import { RowSelector } from '../explore/row-selector.ts';
import { TableFieldsReader } from '../explore/table-fields.ts';
import { ExportedItems } from '../exports/exported-items.ts';
import { BatchRepository } from '../intake/batch.repository.ts';
import { FileReportRepository } from '../intake/file-report.repository.ts';
import { LocalIntakeReads } from '../intake/local-intake-reads.ts';
import { SourceRepository } from '../intake/source.repository.ts';
import { IssueScores } from '../issues/issue-scores.ts';
import { LocalIssueReads } from '../issues/local-issue-reads.ts';
import { ItemDetailsReader } from '../items/item-details.ts';
import { LocalItemReads } from '../items/local-item-reads.ts';
import { MediaRepository } from '../items/media.repository.ts';
import { MediaLocations } from '../items/media-locations.ts';
import { ObjectRepository } from '../items/object.repository.ts';
import { StoreCounter } from '../items/store-counter.ts';
import { AnnotationRepository } from '../labels/annotation.repository.ts';
import { CurrentLabels } from '../labels/current-labels.ts';
import { LabelNames } from '../labels/label-names.ts';
import { LocalMapReads } from '../map/local-map-reads.ts';
import { MapColours } from '../map/map-colours.ts';
import { Projections } from '../map/projections.ts';
import { CustomMetadataRepository } from '../metadata/custom-metadata.repository.ts';
import { CustomValues } from '../metadata/custom-values.ts';
import { LocalMetadataReads } from '../metadata/local-metadata-reads.ts';
import { LostPartRepository } from '../repairs/lost-part.repository.ts';
import { CopiesToReview } from '../reviews/copies-to-review.ts';
import { ItemsToReview } from '../reviews/items-to-review.ts';
import { LocalReviewReads } from '../reviews/local-review-reads.ts';
import { CaptionTexts } from '../texts/caption-texts.ts';
import { captionVectors } from '../texts/caption-vectors.ts';
import { IndexReader } from '../vectors/index-reader.ts';
import { LocalVectorReads } from '../vectors/local-vector-reads.ts';
import { LostVectors } from '../vectors/lost-vectors.ts';
import { engineLocation, VectorSpaces } from '../vectors/vector-spaces.ts';
import type { ReaderStart } from './store-location.ts';

/** Maximum number of cached rankings by words: at most 8 MB each at a million rows. */
const MAX_WORD_RANKS = 4;

/** The read side of the store, as the thread implements it. */
export type ReadSubjects = { readonly [Subject in keyof StoreReads]: Answered<StoreReads[Subject]> };

/**
 * Opens a generation for reading over its own connection.
 * @param presenter Needed only to read pages.
 */
export function openReaders(
  { folder, dataFolder, dataset_id, memories, engineConnection }: ReaderStart,
  openEngine = openVectorEngine,
  presenter?: PagePresenter,
) {
  const db = openReadOnly(join(folder, 'data.db'));
  const files = new FileReportRepository(db);
  const media = new MediaRepository(db);
  const meta = new MetaRepository(db);
  const objects = new ObjectRepository(db);
  const models = new ModelResultRepository(db);
  const versions = new DataVersions(meta);
  const live = new LiveRows(db, versions);
  const clusterEdits = new ClusterEdits({ db, versions });
  const index = new IndexReader(folder, meta, live, clusterEdits);
  const engine = openEngine(engineLocation(meta, folder, engineConnection), {
    memories,
    state: {
      indexed: (space, entityType) => index.published(space, entityType),
      vectorsState: () => versions.vectors,
    },
  });
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
    clusterEdits,
    edits,
    tags,
    lost: new LostVectors(new LostPartRepository(db), versions),
  };
  const pairs = new DuplicatePairRepository(db);
  const groups = new DuplicateGroups(pairs, versions);
  const columns = new Columns({ ...parts, folder });
  const projections = new Projections({ ...parts, folder, meta });
  const rowFacts = new RowFacts(
    {
      ...parts,
      labelNames: new LabelNames(db),
      metadata: new CustomValues(metadata, versions),
      captions: new CaptionTexts(parts),
      captionVectors: captionVectors(parts),
      wordRanks: new LRUCache({ max: MAX_WORD_RANKS }),
      issues: new IssueScores(parts),
      projections,
      pairs: new ComparedPairs(parts),
      duplicates: new ShownDuplicates({ ...parts, groups, columns }),
    },
    columns,
    new CurrentLabels(parts),
  );
  const matcher = new RowMatcher(rowFacts);
  const counter = new StoreCounter({ ...parts, matcher, rowFacts });
  const views = new ClusterViews(parts);
  const orders = new RowOrders(parts);
  const ranker = new RowRanker(rowFacts);
  const finder = new PlanFinder({ media, matcher, rowFacts, ranker });
  const clusters = new ClusterLister({ finder, index, matcher, rowFacts, ranker, views, clusterIds, clusterEdits });
  const countRows = (entityType: EntityType) => (entityType === 'IMAGES' ? media.count() : objects.rows());
  const duplicates = new LocalDuplicateReads({ ...parts, matcher, rowFacts, meta, duplicates: groups, pairs, views });
  const vectorReads = new LocalVectorReads({ vectors, index, live, models, countRows });
  const explore = new LocalExploreReads({
    items: new ItemLister({ finder, rowFacts, views, orders, fields: new TableFieldsReader({ ...parts, metadata }) }),
    clusters,
    counter: new PlanCounter({ finder, rowFacts, views, tags }),
    selector: new RowSelector({ db, index, matcher, rowFacts, finder, clusters }),
    index,
  });
  const subjects = {
    items: new LocalItemReads({ details: new ItemDetailsReader(parts), locations, media, counter }),
    explore,
    pages: new LocalPageReads(explore, presenter),
    edits: new LocalEditReads({ ...parts, log: new EditRepository(db), matcher, rowFacts }),
    vectors: vectorReads,
    duplicates,
    issues: new LocalIssueReads({ finder, rowFacts, media, objects }),
    reviews: new LocalReviewReads({
      items: new ItemsToReview({ db, finder, rowFacts, views, orders }),
      copies: new CopiesToReview({ db, matcher, rowFacts, duplicates, clusterIds }),
    }),
    charts: new LocalChartReads({ finder, tags }),
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
  const exported = new ExportedItems({ ...parts, metadata, rowFacts, dataFolder });
  return { db, meta, subjects, exported, rowFacts, counter, index, engine, vectors, projections };
}
