import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import type { ItemSort } from '../../../contract/schemas/facets.ts';
import { ISSUES, type IssueName } from '../../../contract/schemas/issues.ts';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import type { TagRepository } from '../edits/tag.repository.ts';
import type { Facts } from './row-facts.ts';

/** Orders of all rows by a key, which do not depend on a query. */
export type KeyedOrder = Exclude<ItemSort, 'score' | 'similarity'>;

/** What an order depends on beside the rows. */
export interface OrderOptions {
  field?: string | undefined;
  level: number;
  limits?: IssueLimits | undefined;
}

export interface OrderContext extends OrderOptions {
  facts: Facts;
  tags: Pick<TagRepository, 'list'>;
}

interface Order {
  /** Keys of items, by which objects are sorted too, or keys of rows of the entity type. */
  of: 'items' | 'rows';
  /** Changes when the keys of existing rows change, beside the version of the rows and of the index. */
  state?(context: OrderContext): string;
  /** Returns the key of each row, NaN for rows without one. */
  keys(context: OrderContext): ArrayLike<number>;
}

const PATHS = 'SELECT row FROM file JOIN media USING (file_id) ORDER BY file_path, row';
const FORMATS = 'SELECT row, format FROM media';
/** Numbers of items or objects that are not among the typed columns. */
const NUMBERS = {
  modified: 'SELECT row, mtime_ms FROM media JOIN file USING (file_id)',
  file_size: 'SELECT row, size_bytes FROM media JOIN file USING (file_id)',
  quality: 'SELECT row, sharpness FROM media',
  confidence: 'SELECT row, confidence FROM object WHERE confidence IS NOT NULL',
};

const byNumber = (name: keyof typeof NUMBERS): Order => ({
  of: name === 'confidence' ? 'rows' : 'items',
  keys: ({ facts }) => {
    const isOther = name === 'confidence' && facts.entity_type === 'IMAGES';
    const keys = unknown(name === 'confidence' ? facts.count : facts.nItems);
    if (isOther) return keys;
    const all = facts.db.prepare<[], [row: number, value: number]>(NUMBERS[name]).raw().iterate();
    for (const [row, value] of all) if (row < keys.length) keys[row] = value;
    return keys;
  },
});

const byIssue = (issue: IssueName | undefined): Order => ({
  of: 'rows',
  state: ({ facts, limits }) =>
    JSON.stringify([facts.versions.annotations, facts.versions.duplicates, facts.edits.state, limits]),
  keys: ({ facts, limits }) => {
    if (!limits) throw new Error('an order by issues needs their limits');
    return issue === undefined ? facts.issues.worst(limits, facts) : facts.issues.of(issue, limits, facts);
  },
});

const ORDERS: Readonly<Record<Exclude<KeyedOrder, IssueName>, Order>> = {
  name: {
    of: 'items',
    keys: ({ facts }) => {
      const keys = unknown(facts.nItems);
      let place = 0;
      for (const row of facts.db.prepare<[], number>(PATHS).pluck().iterate()) {
        if (row < keys.length) keys[row] = place;
        place += 1;
      }
      return keys;
    },
  },
  file_name: {
    of: 'items',
    keys: ({ facts: { columns, nItems } }) => rankOf(nItems, (row) => columns.items.names.at(row)),
  },
  created: { of: 'items', keys: ({ facts }) => facts.columns.items.created },
  modified: byNumber('modified'),
  size: {
    of: 'items',
    keys: ({ facts: { columns, nItems } }) => {
      const { widths, heights } = columns.items;
      return Float64Array.from({ length: nItems }, (_, row) => (widths[row] ?? 0) * (heights[row] ?? 0));
    },
  },
  width: { of: 'items', keys: ({ facts }) => facts.columns.items.widths },
  height: { of: 'items', keys: ({ facts }) => facts.columns.items.heights },
  file_size: byNumber('file_size'),
  format: {
    of: 'items',
    keys: ({ facts }) => {
      const names = new Map<number, string>();
      const all = facts.db.prepare<[], [row: number, format: string]>(FORMATS).raw().iterate();
      for (const [row, format] of all) names.set(row, format);
      return rankOf(facts.nItems, (row) => names.get(row));
    },
  },
  quality: byNumber('quality'),
  uniqueness: { of: 'rows', keys: ({ facts }) => facts.uniqueness },
  label: {
    of: 'rows',
    state: ({ facts }) => `${facts.versions.annotations} ${facts.edits.state}`,
    keys: ({ facts }) => rankOf(facts.count, (row) => facts.labels.labelsOf(row)[0]),
  },
  tag: {
    of: 'rows',
    state: ({ facts }) => facts.edits.state,
    keys: ({ facts, tags }) => {
      const keys = unknown(facts.count);
      // The first tag by name is set last.
      for (const [rank, { tag_id }] of [...tags.list().entries()].reverse()) {
        facts.edits.tagged(facts.entity_type, tag_id, facts.count).forEach((row) => {
          keys[row] = rank;
        });
      }
      return keys;
    },
  },
  caption: {
    of: 'rows',
    state: ({ facts }) => String(facts.versions.annotations),
    keys: ({ facts }) => {
      const first = new Map<number, string>();
      for (const { texts, rowOf } of facts.captions.of(facts.entity_type, 0)) {
        for (const [text, row] of rowOf.entries()) if (!first.has(row)) first.set(row, texts.at(text));
      }
      return rankOf(facts.count, (row) => first.get(row));
    },
  },
  confidence: byNumber('confidence'),
  cluster: {
    of: 'rows',
    state: ({ facts, level }) => `${level} ${facts.versions.clusterEdits}`,
    keys: ({ facts, level }) => {
      const clusters = facts.index.clusters(facts.entity_type, level);
      const clusterOf = (row: number) => clusters?.clusterOf(row) ?? -1;
      return Float64Array.from({ length: facts.count }, (_, row) => (clusterOf(row) < 0 ? Number.NaN : clusterOf(row)));
    },
  },
  metadata: {
    of: 'items',
    state: ({ facts, field }) => JSON.stringify([field, facts.metadata.stateOf(assertField(field))]),
    keys: ({ facts, field }) => keysOfField(assertField(field), facts),
  },
  issues: byIssue(undefined),
};

export function orderOf(sort: KeyedOrder): Order {
  const issue = ISSUES.find((one) => one === sort);
  return issue === undefined ? ORDERS[sort as Exclude<KeyedOrder, IssueName>] : byIssue(issue);
}

function keysOfField(name: string, { metadata, nItems }: Facts): ArrayLike<number> {
  const field = metadata.field(name);
  const column = metadata.column(field, nItems);
  if (column?.kind === 'numbers') return column.values;
  if (column?.kind === 'options') {
    return Float64Array.from(column.masks, (mask) => (mask === 0 ? Number.NaN : mask));
  }
  if (column?.kind === 'texts') {
    const { codes, texts } = column;
    return rankOf(nItems, (row) => texts[codes[row] ?? -1]?.toLowerCase());
  }
  const texts = new Map(metadata.iterate(field, nItems));
  return rankOf(nItems, (row) => texts.get(row)?.toString().toLowerCase());
}

/** Returns the rank of each row's text, NaN for rows without one. */
function rankOf(count: number, textOf: (row: number) => string | undefined): Float64Array {
  const known = new Map<string, number>();
  const codes = new Int32Array(count).fill(-1);
  for (let row = 0; row < count; row += 1) {
    const text = textOf(row);
    if (text === undefined || text === '') continue;
    const code = known.get(text) ?? known.size;
    known.set(text, code);
    codes[row] = code;
  }
  const ranks = new Float64Array(known.size);
  for (const [rank, text] of [...known.keys()].sort().entries()) ranks[known.get(text) ?? 0] = rank;
  return Float64Array.from(codes, (code) => ranks[code] ?? Number.NaN);
}

function unknown(count: number): Float64Array {
  return new Float64Array(count).fill(Number.NaN);
}

/** @throws AppError `invalid_request` without a field. */
function assertField(field: string | undefined): string {
  if (field === undefined) throw new AppError('invalid_request', message('sort_field_missing'));
  return field;
}
