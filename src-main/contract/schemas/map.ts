import { z } from 'zod';
import { preview } from './explore.ts';

/** Properties that colour a map. `field`: a custom field, or with `label` one label, named by `colour_by`. */
export const MAP_COLOURS = [
  'cluster',
  'label',
  'tag',
  'folder',
  'issue',
  'media_type',
  'quality',
  'uniqueness',
  'width',
  'height',
  'created',
  'field',
] as const;
export type MapColour = (typeof MAP_COLOURS)[number];

/** Maximum number of colours of the legend. */
export const MAX_COLOURS = 12;
/** Further values share as many muted colours, from this index on. */
export const MUTED_COLOURS = 12;
/** Index of marks without a colour. */
export const NO_COLOUR = 255;

/** Maximum number of items in a window that are returned one by one; more are returned as the density of cells. */
export const MAX_POINTS = 1_000_000;
/** Cells along a side of a window. */
export const MAP_CELLS = 512;
/** Number of steps per side of a window in which positions are encoded. */
export const PLACE_STEPS = 65_535;

/**
 * A window of a map. Marks are little-endian typed arrays in base64: mark i is at `x[i]`, `y[i]`. The map extends from 0 to 1 on both
 * axes, y pointing down.
 */
export const mapView = z.object({
  /** Id of the projection, which drawn areas refer to; null before the first one. */
  map_id: z.string().nullable(),
  /** Numbers of unfiltered items on the map, and of those without a position yet. */
  placed_items: z.int(),
  waiting_items: z.int(),
  /** Number of matching items on the map. */
  matching_items: z.int(),
  window: z.object({ x: z.number(), y: z.number(), side: z.number() }),
  /** `points`: one mark per item. `cells`: one mark per cell, at the mean position of its items. */
  marks: z.enum(['points', 'cells']),
  n_marks: z.int(),
  /** uint16: position as a fraction of the window's side, in {@link PLACE_STEPS}. */
  x: z.string(),
  y: z.string(),
  /** uint32: number of items per mark, and of matching ones. */
  counts: z.string(),
  matching: z.string(),
  /**
   * uint8: index in the legend, for a cell that of most matching items; from {@link MUTED_COLOURS} on for values beyond the legend;
   * {@link NO_COLOUR} for none.
   */
  colours: z.string(),
  /** Cluster level of the colours; null for other colours. */
  level: z.int().nullable(),
  legend: z.array(
    z.object({
      /** Cluster id, label, id of a tag, folder, issue, media type, quality quintile, value of a field, or number of a range. */
      value: z.string(),
      /** Name of a cluster or tag; null if it has none. */
      name: z.string().nullable(),
      /** For ranges of numbers and times: the bounds, included. */
      from: z.union([z.number(), z.string()]).nullable(),
      to: z.union([z.number(), z.string()]).nullable(),
      /** Position where most of the matching items are close together; null for ranges. */
      x: z.number().nullable(),
      y: z.number().nullable(),
      /** Number of matching items. */
      count: z.int(),
    }),
  ),
});
export type MapView = z.infer<typeof mapView>;

/** Items in a window of a map, nearest to its centre first. */
export const mapItems = z.object({
  items: z.array(preview.extend({ map_x: z.number(), map_y: z.number() })),
  /** Number of items in the window. */
  total: z.int(),
});
export type MapItems = z.infer<typeof mapItems>;
