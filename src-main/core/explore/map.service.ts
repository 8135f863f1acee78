import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { MapColour, MapItems, MapView } from '../../contract/schemas/map.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { MediaUrls } from '../media/media-urls.ts';
import type { IssueLimits } from '../ports/issue-limits.ts';
import type { MapWindow } from '../ports/map.ts';
import { ExplorePresenter } from './explore-presenter.ts';
import type { QueryPlanner } from './query-planner.ts';
import type { QueryParameters } from './read-query.ts';

interface MapInput extends QueryParameters, MapWindow {
  entity_type: EntityType;
}

/** Reads the map of a dataset: [Note: Projection]. */
export class MapService {
  readonly #datasets: DatasetCatalog;
  readonly #planner: QueryPlanner;
  readonly #issueLimits: () => IssueLimits;
  readonly #urls: MediaUrls;

  /** The operations that this service handles. */
  readonly handlers = {
    get_map: (context, input) => this.getMap(context, input),
    list_map_items: (context, input) => this.listItems(context, input),
  } satisfies SomeHandlers;

  constructor(parts: {
    datasets: DatasetCatalog;
    planner: QueryPlanner;
    issueLimits: () => IssueLimits;
    urls: MediaUrls;
  }) {
    this.#datasets = parts.datasets;
    this.#planner = parts.planner;
    this.#issueLimits = parts.issueLimits;
    this.#urls = parts.urls;
  }

  async getMap(
    context: DatasetContext,
    input: MapInput & { colour: MapColour; colour_by?: string | undefined; threshold?: number | undefined },
  ): Promise<MapView> {
    const store = this.#datasets.browsable(context.dataset);
    const { plan } = await this.#planner.plan(context, store, input);
    const { x, y, side, colour, colour_by: by, threshold: level } = input;
    if (colour === 'field' && by === undefined) {
      throw new AppError('invalid_request', message('colour_field_missing'));
    }
    const window = { x, y, side };
    const limits = this.#issueLimits();
    const { marks, ...found } = await store.map.read({ plan, window, colour, by, level, limits });
    return {
      ...found,
      window,
      marks: marks.marks,
      n_marks: marks.x.length,
      x: base64(marks.x),
      y: base64(marks.y),
      counts: base64(marks.counts),
      matching: base64(marks.matching),
      colours: base64(marks.colours),
    };
  }

  async listItems(context: DatasetContext, input: MapInput & { limit: number }): Promise<MapItems> {
    const store = this.#datasets.browsable(context.dataset);
    const { plan } = await this.#planner.plan(context, store, input);
    const { x, y, side, limit } = input;
    const { items, total } = await store.map.listItems({ plan, window: { x, y, side }, limit });
    const presenter = ExplorePresenter.for(this.#urls, context);
    return { total, items: items.map((item) => ({ ...presenter.item(item), map_x: item.x, map_y: item.y })) };
  }
}

/** Encodes the bytes in native byte order, which is little-endian on all supported platforms. */
function base64({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array | Uint32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
