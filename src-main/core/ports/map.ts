import type { MapColour } from '../../contract/schemas/map.ts';
import type { IssueLimits } from './issue-limits.ts';
import type { ScoredItem } from './items.ts';
import type { ProjectionJob } from './projection.ts';
import type { QueryPlan } from './query.ts';
import type { StoreMethods } from './store-methods.ts';

/** A square window of a map. Map coordinates are 0 … 1, with y pointing down. */
export interface MapWindow {
  x: number;
  y: number;
  side: number;
}

/** Marks as typed arrays; see the schema `mapView`. */
export interface MapMarks {
  marks: 'points' | 'cells';
  x: Uint16Array;
  y: Uint16Array;
  counts: Uint32Array;
  matching: Uint32Array;
  colours: Uint8Array;
}

export interface LegendEntry {
  value: string;
  name: string | null;
  /** Bounds of a range of numbers or times. */
  from: number | string | null;
  to: number | string | null;
  count: number;
  /** Position where most of the matching items are close together. */
  x: number | null;
  y: number | null;
}

export interface FoundMap {
  /** Null until a map exists. */
  map_id: string | null;
  placed_items: number;
  waiting_items: number;
  matching_items: number;
  marks: MapMarks;
  level: number | null;
  legend: LegendEntry[];
}

export interface MapQuery {
  plan: QueryPlan;
  window: MapWindow;
  colour: MapColour;
  /** Name of a custom field, or a label. */
  by: string | undefined;
  /** Clustering level, 0 finest; undefined for the one that fits the number of colours. */
  level: number | undefined;
  limits: IssueLimits;
}

export interface FoundMapItems {
  items: (ScoredItem & { x: number; y: number })[];
  total: number;
}

/** Reads positions on the map: [Note: Projection]. */
export interface MapReads {
  /** Reads the positions of all items and highlights those that match a plan. */
  read(query: MapQuery): Promise<FoundMap>;
  /** Lists the matches of a plan in a window of the map, by ascending distance from its centre. */
  listItems(query: { plan: QueryPlan; window: MapWindow; limit: number }): Promise<FoundMapItems>;
}

/** Stores projections. */
export interface MapWrites {
  /** Lists the shown spaces in which some indexed rows have no position yet. */
  prepareProjections(): Promise<ProjectionJob[]>;
  /** Switches reads to a finished projection. */
  publishProjection(job: ProjectionJob): Promise<void>;
}

export const mapMethods: StoreMethods<MapReads, MapWrites> = {
  read: 'read',
  listItems: 'read',
  prepareProjections: 'write',
  publishProjection: 'write',
};
