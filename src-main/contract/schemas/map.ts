import { z } from 'zod';
import { preview } from './explore.ts';

/** What the colours of a map tell. */
export const MAP_COLOURS = ['cluster', 'label', 'issue', 'media_type', 'quality'] as const;
export type MapColour = (typeof MAP_COLOURS)[number];

/** Colours of one map at most; what is more is of none. */
export const MOST_COLOURS = 12;
/** Stands for no colour. */
export const NO_COLOUR = 255;

/** Up to so many items in a window are told one by one, more by the density of its cells. */
export const MOST_POINTS = 200_000;
/** Cells along a side of a window. */
export const MAP_CELLS = 512;
/** Places within a window are told as shares of its side, in so many steps. */
export const PLACE_STEPS = 65_535;

/**
 * Part of a map as it is drawn. Its marks are typed arrays, little endian, as base64: mark i is at `x[i]`, `y[i]`, and so on. The map is the square from
 * 0 to 1 on both axes, y downwards.
 */
export const mapView = z.object({
  /** Names the layout; areas drawn on another one mean nothing here. Null until there is one. */
  map_id: z.string().nullable(),
  /** Of all that is shown without filters: what is on the map, and what is not on it yet. */
  placed_items: z.int(),
  waiting_items: z.int(),
  /** What fits and is on the map. */
  matching_items: z.int(),
  window: z.object({ x: z.number(), y: z.number(), side: z.number() }),
  /** `points`: a mark is an item. `cells`: a mark stands for all items of a cell, at their middle. */
  marks: z.enum(['points', 'cells']),
  n_marks: z.int(),
  /** uint16: shares of the window's side, in {@link PLACE_STEPS}. */
  x: z.string(),
  y: z.string(),
  /** uint32: items that a mark stands for, and those of them that fit. */
  counts: z.string(),
  matching: z.string(),
  /** uint8: place in the legend; of a cell, that of most items that fit; {@link NO_COLOUR} for none. */
  colours: z.string(),
  legend: z.array(
    z.object({
      /** A cluster's id, or the name of a label, an issue, a type of media or a fifth of quality. */
      value: z.string(),
      /** What to call a cluster; null where it has no name. */
      name: z.string().nullable(),
      /** Items that fit. */
      count: z.int(),
    }),
  ),
});
export type MapView = z.infer<typeof mapView>;

/** Items in part of a map, the nearest to its middle first. */
export const mapItems = z.object({
  items: z.array(preview.extend({ map_x: z.number(), map_y: z.number() })),
  /** In that part. */
  total: z.int(),
});
export type MapItems = z.infer<typeof mapItems>;
