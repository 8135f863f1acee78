import { z } from 'zod';
import type { Vitrine } from '../typescript/index.ts';
import { datasetInput, queryInput, selectionInput, selectionOf, vqlOf } from './query-input.ts';
import type { RegisterTool } from './tool.ts';

const names = z.array(z.string()).max(100).default([]);

/** Tools that change datasets or write files. Edits can be undone. */
export function addChangingTools(add: RegisterTool): void {
  add({
    name: 'create_dataset',
    title: 'Create a dataset',
    description:
      'Creates a dataset from a folder of the computer on which Vitrine runs, and waits until it is indexed.',
    input: { name: z.string(), path: z.string().describe('Absolute path, or an address of object storage') },
    run: async (query, { vitrine, signal, report }) => {
      const { id, status_new, n_images, n_videos } = await vitrine.index(query, {
        signal,
        onProgress: (state) => void report(state.progress, state.status_new),
      });
      return { id, status: status_new, n_images, n_videos };
    },
  });
  add({
    name: 'tag',
    title: 'Tag items',
    description: 'Adds tags to items and removes others, by name. New names become tags.',
    input: { ...datasetInput, ...selectionInput, add: names, remove: names },
    run: async ({ dataset, add: added, remove, ...query }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      const mediaSelection = await selectionOf(vitrine, id, query);
      const [toAdd, toRemove] = [await tagIds(vitrine, id, added, true), await tagIds(vitrine, id, remove, false)];
      return vitrine.api.edit_tags({ dataset_id: id, media_selection: mediaSelection, add: toAdd, remove: toRemove });
    },
  });
  add({
    name: 'label',
    title: 'Label items',
    description: 'Adds labels to items, removes others, or confirms labels of models.',
    input: { ...datasetInput, ...selectionInput, add: names, remove: names, confirm: names },
    run: async ({ dataset, add: added, remove, confirm, ...query }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      const mediaSelection = await selectionOf(vitrine, id, query);
      return vitrine.api.edit_labels({ dataset_id: id, media_selection: mediaSelection, add: added, remove, confirm });
    },
  });
  add({
    name: 'exclude',
    title: 'Exclude items',
    description: 'Excludes items from the dataset. No file is deleted.',
    input: { ...datasetInput, ...selectionInput },
    run: async ({ dataset, ...query }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      return vitrine.api.exclude({ dataset_id: id, media_selection: await selectionOf(vitrine, id, query) });
    },
  });
  add({
    name: 'include',
    title: 'Include excluded items',
    description: 'Takes excluded items back into the dataset.',
    input: { ...datasetInput, media_ids: z.array(z.string()).min(1).max(5000) },
    run: async ({ dataset, media_ids }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      return vitrine.api.include({ dataset_id: id, media_selection: [{ type: 'media', payload: { media_ids } }] });
    },
  });
  add({
    name: 'exclude_duplicates',
    title: 'Exclude duplicates',
    description: 'Excludes all copies of each group of duplicates but the one to keep. With dry_run, only counts them.',
    input: { ...datasetInput, threshold: z.number().min(0).max(1).default(0.95), dry_run: z.boolean().default(false) },
    run: async ({ dataset, threshold, dry_run }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      return vitrine.api.apply_review({ dataset_id: id, kind: 'duplicates', duplicate_threshold: threshold, dry_run });
    },
  });
  add({
    name: 'undo',
    title: 'Undo the latest edit',
    description: 'Undoes the latest edit of tags, labels or exclusion.',
    input: datasetInput,
    run: async ({ dataset }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      return vitrine.api.undo_edit({ dataset_id: id });
    },
  });
  add({
    name: 'snapshot',
    title: 'Create a snapshot',
    description: 'Stores the state of a dataset, which can be restored later.',
    input: { ...datasetInput, name: z.string(), description: z.string().default('') },
    run: async ({ dataset, name, description }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      return vitrine.api.create_snapshot({ dataset_id: id, name, description });
    },
  });
  add({
    name: 'watch',
    title: 'Watch a view',
    description: 'Saves filters as a view. Media that are added later and match cause an alert; list_alerts shows it.',
    input: { ...datasetInput, name: z.string(), ...queryInput },
    run: async ({ dataset, name, ...query }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      return vitrine.api.create_view({ dataset_id: id, name, vql: await vqlOf(vitrine, id, query) });
    },
  });
  add({
    name: 'export',
    title: 'Export items',
    description: 'Exports matching items as a ZIP and returns the address of the file.',
    input: {
      ...datasetInput,
      ...queryInput,
      format: z.enum(['json', 'parquet', 'coco', 'yolo', 'csv', 'image_folder']).default('json'),
      include_images: z.boolean().default(false),
      split: z.string().optional().describe('Percentages of train, val and test, such as 80,10,10'),
    },
    run: async ({ dataset, format, include_images, split, ...query }, { vitrine, signal, report }) => {
      const { id } = await vitrine.findDataset(dataset);
      const vql = await vqlOf(vitrine, id, query);
      return vitrine.export(
        { dataset_id: id, export_format: format, include_images, vql, ...(split !== undefined && { split }) },
        { signal, onProgress: ({ progress }) => void report(progress, 'Exporting') },
      );
    },
  });
}

/** Ids of tags by name. Missing ones are created if `creates`. @throws Error for a missing tag otherwise. */
async function tagIds(
  vitrine: Vitrine,
  datasetId: string,
  requested: readonly string[],
  creates: boolean,
): Promise<string[]> {
  if (requested.length === 0) return [];
  const tags = await vitrine.api.list_tags({ dataset_id: datasetId });
  const ids: string[] = [];
  for (const name of requested) {
    const known = tags.find((tag) => tag.name === name);
    if (!known && !creates) throw new Error(`There is no tag "${name}"`);
    ids.push((known ?? (await vitrine.api.create_tag({ dataset_id: datasetId, name }))).id);
  }
  return ids;
}
