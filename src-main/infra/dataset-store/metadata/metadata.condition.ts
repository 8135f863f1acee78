import { AppError } from '../../../contract/errors.ts';
import { type Message, message } from '../../../contract/messages.ts';
import type { FieldType } from '../../../contract/schemas/custom-metadata.ts';
import type { Condition } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { type ConditionKind, type ConditionKinds, whereItem } from '../explore/condition-kind.ts';
import type { Facts } from '../explore/row-facts.ts';
import type { NumberedField } from './custom-metadata.repository.ts';

type MetadataTest = Condition & { name: 'metadata' };
type Op = MetadataTest['op'];

const OPS: Record<FieldType, readonly Op[]> = {
  string: ['is', 'contains', 'one_of'],
  link: ['is', 'contains', 'one_of'],
  float: ['is', 'one_of', 'gt', 'lt', 'eq', 'range'],
  datetime: ['range'],
  enum: ['is', 'one_of'],
};

const metadata: ConditionKind<'metadata'> = {
  stateOf: ({ field }, facts) => facts.metadata.stateOf(field),
  rows: rowsWithValue,
};

export const metadataConditions = { metadata } satisfies ConditionKinds;

/**
 * Returns the rows by a custom field of the item. Texts are compared case-insensitively.
 * @throws AppError `invalid_input` for an unknown field, or a test that its type does not support.
 */
function rowsWithValue(condition: MetadataTest, facts: Facts): RowSet {
  const field = facts.metadata.field(condition.field);
  const { field_type } = field;
  if (!OPS[field_type].includes(condition.op))
    throw unfit(field, message('expected_op', { ops: OPS[field_type].join(', ') }));
  if (field_type === 'enum') return whereOptions(field, condition, facts);
  if (field_type === 'string' || field_type === 'link') return whereText(field, condition, facts);
  return whereNumber(field, condition, facts);
}

function whereOptions(field: NumberedField, test: MetadataTest, facts: Facts): RowSet {
  const searched = 'value' in test ? [test.value].flat() : [];
  const bits = searched.map((option) => {
    const at = field.enum_options.indexOf(String(option));
    return at < 0 ? 0 : 1 << at;
  });
  const mask = bits.reduce((all, bit) => all | bit, 0);
  const column = facts.metadata.column(field, facts.nItems);
  if (column?.kind !== 'options') return new RowSet(facts.count);
  const { masks } = column;
  if (test.op === 'one_of') return whereItem(facts, (row) => ((masks[row] as number) & mask) !== 0);
  if (bits.includes(0)) return new RowSet(facts.count);
  return whereItem(facts, (row) => ((masks[row] as number) & mask) === mask);
}

function whereText(field: NumberedField, test: MetadataTest, facts: Facts): RowSet {
  const searched = 'value' in test ? [test.value].flat().map((value) => String(value).toLowerCase()) : [];
  const holds = (text: string) => {
    const lower = text.toLowerCase();
    if (test.op === 'contains') return searched.some((value) => lower.includes(value));
    return test.op === 'is' ? searched.every((value) => lower === value) : searched.includes(lower);
  };
  const column = facts.metadata.column(field, facts.nItems);
  if (column?.kind === 'texts') {
    const { codes } = column;
    const held = column.texts.map(holds);
    return whereItem(facts, (row) => held[codes[row] as number] === true);
  }
  const found = new RowSet(facts.nItems);
  for (const [row, text] of facts.metadata.iterate(field, facts.nItems)) if (holds(String(text))) found.add(row);
  return whereItem(facts, (row) => found.has(row));
}

function whereNumber(field: NumberedField, test: MetadataTest, facts: Facts): RowSet {
  const column = facts.metadata.column(field, facts.nItems);
  const holds = numberTest(field, test);
  if (column?.kind !== 'numbers') return new RowSet(facts.count);
  const { values } = column;
  return whereItem(facts, (row) => holds(values[row] as number));
}

/** Returns the test of a number; NaN never passes. */
function numberTest(field: NumberedField, test: MetadataTest): (value: number) => boolean {
  switch (test.op) {
    case 'gt':
      return (value) => value > test.value;
    case 'lt':
      return (value) => value < test.value;
    case 'eq':
      return (value) => value === test.value;
    case 'range': {
      const from = bound(field, test.from) ?? Number.NEGATIVE_INFINITY;
      const to = bound(field, test.to) ?? Number.POSITIVE_INFINITY;
      return (value) => value >= from && value <= to;
    }
    default: {
      const searched = test.value.map((value) => bound(field, value));
      return test.op === 'is' ? (value) => searched.every((one) => one === value) : (value) => searched.includes(value);
    }
  }
}

function bound(field: NumberedField, value: string | number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (field.field_type === 'float' && typeof value !== 'number') throw unfit(field, message('expected_numbers'));
  if (field.field_type === 'datetime' && typeof value !== 'string') throw unfit(field, message('expected_datetimes'));
  return typeof value === 'number' ? value : Date.parse(value);
}

function unfit({ field_name, field_type }: NumberedField, expected: Message): AppError {
  return new AppError('invalid_input', message('field_test_unfit', { field: field_name, type: field_type, expected }));
}
