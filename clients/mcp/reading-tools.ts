import { z } from 'zod';
import type { Item } from '../typescript/index.ts';
import { pictures } from './pictures.ts';
import { datasetInput, queryInput, vqlOf } from './query-input.ts';
import type { RegisterTool } from './tool.ts';

const MAX_PICTURES = 12;
const page = {
  page: z.int().min(0).default(0).describe('Page, from 0'),
  page_size: z.int().min(1).max(100).default(20),
};

/** An item without the addresses of its files, which say nothing to a model. */
export function brief({ media_id, file_name, type, labels, user_tags, caption, relevance_score, width, height }: Item) {
  return { media_id, file_name, type, labels, user_tags, caption, relevance_score, width, height };
}

/** Tools that only read. */
export function addReadingTools(add: RegisterTool): void {
  add({
    name: 'list_datasets',
    title: 'List datasets',
    description: 'All datasets with their status and counts.',
    input: {},
    run: async (_input, { vitrine }) => {
      const datasets = await vitrine.api.list_datasets();
      return {
        datasets: datasets.map(
          ({ id, display_name, description, status_new, progress, n_images, n_videos, n_objects }) => ({
            ...{ id, display_name, description, status: status_new, progress, n_images, n_videos, n_objects },
          }),
        ),
      };
    },
  });
  add({
    name: 'describe_dataset',
    title: 'Describe a dataset',
    description: 'Counts, issues, labels, tags, snapshots, views and what can be searched for in a dataset.',
    input: datasetInput,
    run: async ({ dataset }, { vitrine }) => {
      const { id, display_name, description, status_new } = await vitrine.findDataset(dataset);
      const ofDataset = { dataset_id: id };
      const [stats, facets, { features }, snapshots, { views }, { levels }] = await Promise.all([
        vitrine.api.get_dataset_stats(ofDataset),
        vitrine.api.get_facets(ofDataset),
        vitrine.api.get_user_config(ofDataset),
        vitrine.api.list_snapshots(ofDataset),
        vitrine.api.list_views(ofDataset),
        vitrine.api.get_levels(ofDataset),
      ]);
      return {
        ...{ display_name, description, status: status_new, ...stats },
        ...{ labels: facets.labels, n_unlabeled: facets.n_unlabeled, tags: facets.tags, folders: facets.folders },
        search: features[0]?.feature_options,
        snapshots: snapshots.map(({ snapshot_id, snapshot_name, created_at }) => ({
          snapshot_id,
          snapshot_name,
          created_at,
        })),
        views: views.map(({ id: viewId, name, total_results }) => ({ view_id: viewId, name, total_results })),
        levels,
      };
    },
  });
  add({
    name: 'find',
    title: 'Find items',
    description: 'Items of a dataset that match all filters, as a page of a sorted list. Without filters: all items.',
    input: {
      ...datasetInput,
      ...queryInput,
      ...page,
      sort_by: z
        .enum(['similarity', 'score', 'name', 'created', 'size', 'file_size', 'quality', 'uniqueness', 'issues'])
        .optional(),
      sort_order: z.enum(['asc', 'desc']).default('asc'),
    },
    run: async ({ dataset, page: at, page_size, sort_by, sort_order, ...query }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      const vql = await vqlOf(vitrine, id, query);
      const sorted = sort_by === undefined ? {} : { sort_by };
      const found = await vitrine.api.list_items({
        ...{ dataset_id: id, page_number: at, page_size, sort_order, vql },
        ...sorted,
      });
      return { total: found.total, page: at, items: found.items.map(brief) };
    },
  });
  add({
    name: 'find_similar',
    title: 'Find similar items',
    description:
      'Items most similar to an item, best first. A score of 0 is the same image; above 0.6 is loosely related.',
    input: { ...datasetInput, media_id: z.string() },
    run: async ({ dataset, media_id }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      const { clusters } = await vitrine.api.find_similar({ dataset_id: id, media_id });
      return { items: clusters.flatMap(({ previews }) => previews).map(brief) };
    },
  });
  add({
    name: 'look',
    title: 'Look at images',
    description: `Shows thumbnails of up to ${MAX_PICTURES} items, each with its id.`,
    input: { ...datasetInput, media_ids: z.array(z.string()).min(1).max(MAX_PICTURES) },
    run: async ({ dataset, media_ids }, { vitrine, signal }) => {
      const { id } = await vitrine.findDataset(dataset);
      const found = media_ids.map((imageId) => vitrine.api.get_dataset_image({ dataset_id: id, image_id: imageId }));
      return pictures(vitrine, await Promise.all(found), signal);
    },
  });
  add({
    name: 'describe_item',
    title: 'Describe an item',
    description:
      'Everything known about an item: file, labels with sources, tags, captions, objects, issues, camera data.',
    input: { ...datasetInput, media_id: z.string() },
    run: async ({ dataset, media_id }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      const item = await vitrine.api.get_dataset_image({ dataset_id: id, image_id: media_id });
      return Object.fromEntries(Object.entries(item).filter(([name]) => !name.endsWith('_uri')));
    },
  });
  add({
    name: 'facets',
    title: 'Count by facet',
    description: 'Numbers of matching items by label, tag, folder, issue, type, size, date and custom field.',
    input: { ...datasetInput, ...queryInput },
    run: async ({ dataset, ...query }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      return vitrine.api.get_facets({ dataset_id: id, vql: await vqlOf(vitrine, id, query) });
    },
  });
  add({
    name: 'clusters',
    title: 'List clusters',
    description:
      'Groups of similar items, largest first, with a few examples each. Level 0 is the finest, 4 the coarsest.',
    input: { ...datasetInput, ...queryInput, page: page.page, level: z.int().min(0).max(4).default(2) },
    run: async ({ dataset, page: at, level, ...query }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      const vql = await vqlOf(vitrine, id, query);
      const { clusters, metadata } = await vitrine.api.explore({
        dataset_id: id,
        threshold: level,
        page_number: at,
        vql,
      });
      return {
        total: metadata.total_clusters,
        clusters: clusters.map(({ cluster_id, name, suggested_name, n_images, previews }) => ({
          ...{ cluster_id, name: name ?? suggested_name, n_images },
          examples: previews.slice(0, 3).map(({ media_id, file_name }) => ({ media_id, file_name })),
        })),
      };
    },
  });
  add({
    name: 'duplicates',
    title: 'List duplicates',
    description:
      'Groups of duplicates, largest first. The first item of a group is the copy to keep. 1 finds equal files, 0.95 the same image, 0.8 similar shots.',
    input: { ...datasetInput, threshold: z.number().min(0).max(1).default(0.95), ...page },
    run: async ({ dataset, threshold, page: at, page_size }, { vitrine }) => {
      const { id } = await vitrine.findDataset(dataset);
      const found = await vitrine.api.list_duplicates({
        ...{ dataset_id: id, duplicate_threshold: threshold, page_number: at, page_size },
      });
      return {
        total_groups: found.total_groups,
        total_items: found.total_items,
        is_complete: found.compared_items === found.indexed_items,
        groups: found.groups.map(({ cluster_id, keep_media_id, keep_reason, items }) => ({
          ...{ cluster_id, keep_media_id, keep_reason },
          items: items.map(({ media_id, file_path, confidence, width, height }) => ({
            ...{ media_id, file_path, confidence, width, height },
          })),
        })),
      };
    },
  });
  add({
    name: 'list_alerts',
    title: 'List alerts',
    description: 'Unread notifications, such as new items that match a watched view.',
    input: {},
    run: async (_input, { vitrine }) => vitrine.api.list_notifications({ unread_only: true, limit: 50 }),
  });
  add({
    name: 'list_tasks',
    title: 'List tasks',
    description: 'The latest tasks with their progress.',
    input: {},
    run: async (_input, { vitrine }) => vitrine.api.list_tasks({ page_size: 20, with_service: true }),
  });
}
