import {
  type LabelGroup,
  type LabelGroups,
  MAX_CHART_GROUPS,
  MAX_CHART_LABELS,
} from '../../../contract/schemas/charts.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { TagRepository } from '../edits/tag.repository.ts';
import { tags as tagsCondition } from '../edits/tags.condition.ts';
import { whereItem } from '../explore/condition-kind.ts';
import type { Facts } from '../explore/row-facts.ts';

interface Group {
  value: string;
  name: string;
  rows: RowSet;
}

/** Counts the labels of rows by group. */
export function countLabelGroups(
  rows: RowSet,
  facts: Facts,
  requested: { by: LabelGroup; field_name: string | undefined; tags: TagRepository },
): LabelGroups {
  const groups = groupsOf(facts, requested)
    .map((group) => ({ ...group, rows: group.rows.and(rows) }))
    .map((group) => ({ ...group, count: group.rows.count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_CHART_GROUPS);
  const labels = facts.labels.mostFrequent(rows, MAX_CHART_LABELS).map(({ name, count }) => {
    const labelled = facts.labels.with(name, facts.count);
    return { name, count, counts: groups.map((group) => group.rows.and(labelled).count) };
  });
  return { groups: groups.map(({ value, name, count }) => ({ value, name, count })), labels };
}

/** @throws AppError `invalid_input` for an unknown field. */
function groupsOf(
  facts: Facts,
  { by, field_name, tags }: { by: LabelGroup; field_name: string | undefined; tags: TagRepository },
): Group[] {
  const { items } = facts.columns;
  if (by === 'tag') {
    return tags.list().map(({ tag_id, name }) => ({
      value: tag_id,
      name,
      rows: tagsCondition.rows({ name: 'tags', op: 'is', value: [tag_id] }, facts),
    }));
  }
  if (by === 'folder') return byCode(items.folders, (item) => items.folderOf[item] ?? -1, facts);
  const field = facts.metadata.field(field_name ?? '');
  const column = facts.metadata.column(field, facts.nItems);
  if (column?.kind === 'options') {
    return field.enum_options.map((name, bit) => ({
      value: name,
      name,
      rows: whereItem(facts, (item) => ((column.masks[item] ?? 0) & (1 << bit)) !== 0),
    }));
  }
  return column?.kind === 'texts' ? byCode(column.texts, (item) => column.codes[item] ?? -1, facts) : [];
}

/** The groups of all codes in one pass; only those of most items are kept as rows. */
function byCode(names: readonly string[], codeOf: (item: number) => number, facts: Facts): Group[] {
  const { imageOf } = facts.columns;
  const sizes = new Int32Array(names.length);
  const codes = new Int32Array(facts.count);
  for (let row = 0; row < facts.count; row += 1) {
    const code = codeOf(facts.entity_type === 'OBJECTS' ? (imageOf[row] ?? -1) : row);
    codes[row] = code;
    if (code >= 0) sizes[code] = (sizes[code] as number) + 1;
  }
  const largest = [...sizes.keys()].sort((a, b) => (sizes[b] as number) - (sizes[a] as number));
  return largest.slice(0, 4 * MAX_CHART_GROUPS).flatMap((code) => {
    const name = names[code] ?? '';
    return name === '' ? [] : [{ value: name, name, rows: RowSet.where(facts.count, (row) => codes[row] === code) }];
  });
}
