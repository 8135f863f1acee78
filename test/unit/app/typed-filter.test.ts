import { expect, it } from 'vitest';
import { subjectsOf, typedFilter } from '../../../src-renderer/app/typed-filter.ts';

const field = {
  status: 'COMPLETED' as const,
  task_id: '',
  progress: 100,
  inserted_rows: 0,
  error_count: 0,
  sample_errors: [],
};
const others = { enum_options: [] as string[], is_multi: false, created_at: '' };
const subjects = subjectsOf(
  [
    { ...field, ...others, field_name: 'Score', field_type: 'float' as const },
    { ...field, ...others, field_name: 'Note', field_type: 'string' as const },
  ],
  (subject) => (subject === 'width' ? 'Breite' : subject),
);

it.each([
  ['width >= 1000', { width: { op: 'range', from: 1000 } }],
  ['Breite<640', { width: { op: 'range', to: 640 } }],
  ['height 100..200', { height: { op: 'range', from: 100, to: 200 } }],
  [
    'created 2024-01-01..2024-02-01',
    { created: { op: 'range', from: '2024-01-01T00:00:00.000Z', to: '2024-02-01T23:59:59.999Z' } },
  ],
  ['folder: trip', { folders: { op: 'contains', value: ['trip'] } }],
  ['text: red car', { text: { op: 'fts', value: 'red car' } }],
  ['score = 0.5', { metadata: { field: 'Score', op: 'range', from: 0.5, to: 0.5 } }],
  ['note: x', { metadata: { field: 'Note', op: 'contains', value: ['x'] } }],
])('reads %s', (text, filter) => {
  expect(typedFilter(text, subjects)).toEqual(filter);
});

it.each(['width', 'width >= wide', 'created > soon', 'unknown: x', 'note > x', ''])('does not read %j', (text) => {
  expect(typedFilter(text, subjects)).toBeUndefined();
});
