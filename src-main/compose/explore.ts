import { EditingService } from '../core/editing/editing.service.ts';
import { ChartService } from '../core/explore/chart.service.ts';
import { ExploreService } from '../core/explore/explore.service.ts';
import { MapService } from '../core/explore/map.service.ts';
import { QueryImageService } from '../core/explore/query-image.service.ts';
import { QueryImages } from '../core/explore/query-images.ts';
import { QueryPlanner } from '../core/explore/query-planner.ts';
import { SavedQueryService } from '../core/explore/saved-query.service.ts';
import { SelectionService } from '../core/explore/selection.service.ts';
import { MediaService } from '../core/media/media.service.ts';
import { ReviewService } from '../core/review/review.service.ts';
import { ReviewLeases } from '../core/review/review-leases.ts';
import { ViewRepository } from '../core/views/view.repository.ts';
import { contentTypeOf } from '../infra/files/content-type.ts';
import type { Datasets } from './datasets.ts';
import type { Models } from './models.ts';
import type { Platform } from './platform.ts';

/** Services that find, show, select and edit items. */
export type Explore = ReturnType<typeof composeExplore>;

export function composeExplore(platform: Platform, { datasets, tasks, addresses }: Datasets, models: Models) {
  const { clock, ids, issueLimits, events } = platform;
  const { texts, datasetModels } = models;
  const views = new ViewRepository(platform.catalog);
  const images = new QueryImages(clock, ids, (datasetId, anchorId) => views.findImage(datasetId, anchorId));
  const planner = new QueryPlanner(texts, images, issueLimits);
  const selections = new SelectionService(planner);
  const editing = new EditingService({ datasets, selections, tasks, events });
  const leases = new ReviewLeases(clock);
  return {
    services: {
      explore: new ExploreService({ ...platform, datasets, texts, planner }),
      queryImages: new QueryImageService({ ...platform, datasets, models: datasetModels, images }),
      charts: new ChartService({ datasets, planner }),
      map: new MapService({ ...platform, datasets, planner }),
      editing,
      reviews: new ReviewService({ ...platform, datasets, planner, editing, leases }),
      media: new MediaService({ ...platform, datasets, addresses, contentType: contentTypeOf }),
    },
    queries: new SavedQueryService({ datasets, planner, images }),
    planner,
    selections,
  };
}
