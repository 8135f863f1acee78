import { z } from 'zod';
import type { Vitrine } from '../typescript/index.ts';
import { ISSUES } from '../typescript/operations.ts';

export const datasetInput = { dataset: z.string().describe('Name or id of a dataset') };

/** Filters that tools take. All of them must match. */
export const queryInput = {
  text: z.string().optional().describe('What the images show, in words; needs a semantic encoder or captions'),
  labels: z
    .array(z.string())
    .optional()
    .describe('Items with at least one of these labels; "Unlabeled" finds those without'),
  tags: z.array(z.string()).optional().describe('Items with all of these tags, by name'),
  issue: z.enum(ISSUES).optional().describe('Items with this issue; "normal" finds those without any'),
  folders: z.array(z.string()).optional().describe('Items in folders that start with one of these paths'),
  vql: z.array(z.record(z.string(), z.unknown())).optional().describe('Further filters of the query language VQL'),
};

const query = z.object(queryInput);
type Query = z.infer<typeof query>;

/** Items by their ids, or all that match filters. */
export const selectionInput = {
  media_ids: z.array(z.string()).max(5000).optional().describe('Ids of the items; leave out to select by filters'),
  ...queryInput,
};

/** The filters as VQL. @throws Error for a tag that does not exist. */
export async function vqlOf({ api }: Vitrine, datasetId: string, parts: Query): Promise<unknown[]> {
  const filters: unknown[] = [...(parts.vql ?? [])];
  if (parts.text) filters.push({ text: { op: 'semantic', value: parts.text } });
  if (parts.labels) filters.push({ labels: { op: 'one_of', value: parts.labels } });
  if (parts.issue) filters.push({ issues: { op: 'issue', value: parts.issue, mode: 'in' } });
  if (parts.folders) filters.push({ folders: { op: 'one_of', value: parts.folders } });
  if (parts.tags) {
    const tags = await api.list_tags({ dataset_id: datasetId });
    const ids = parts.tags.map((name) => {
      const tag = tags.find((one) => one.name === name);
      if (!tag) throw new Error(`There is no tag "${name}"`);
      return tag.id;
    });
    filters.push({ tags: { op: 'is', value: ids } });
  }
  return filters;
}

/** The selection that edits take. @throws Error when neither ids nor filters are given, which would select everything. */
export async function selectionOf(
  vitrine: Vitrine,
  datasetId: string,
  { media_ids, ...parts }: Query & { media_ids?: string[] | undefined },
) {
  if (media_ids) return [{ type: 'media' as const, payload: { media_ids } }];
  const vql = await vqlOf(vitrine, datasetId, parts);
  if (vql.length === 0) throw new Error('Name media_ids or at least one filter');
  return [{ type: 'query' as const, payload: { vql: JSON.stringify(vql) } }];
}
