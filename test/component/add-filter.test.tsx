import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { AddFilter } from '../../src-renderer/features/explore/AddFilter.tsx';
import { usePlace } from '../../src-renderer/lib/routes.ts';
import { DATASET_ID, fieldOf, idOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

function Adding() {
  return <AddFilter datasetId={DATASET_ID} place={usePlace()} />;
}

const filters = () => JSON.parse(new URLSearchParams(window.location.hash.split('?')[1]).get('vql') ?? '[]');
const fill = (testId: string, value: string) => fireEvent.change(screen.getByTestId(testId), { target: { value } });

describe('the list of filters', () => {
  it.each<[subject: string, values: Record<string, string>, filter: object]>([
    ['labels', { 'field-value': 'car', 'field-operator': 'is_not' }, { labels: { op: 'is_not', value: ['car'] } }],
    ['tags', { 'field-value': idOf(8) }, { tags: { op: 'is', value: [idOf(8)] } }],
    ['folders', { 'field-value': 'trips' }, { folders: { op: 'contains', value: ['trips'] } }],
    ['captions', { 'field-value': 'a dog' }, { captions: { op: 'contains', value: ['a dog'] } }],
    ['issues', { 'field-value': 'label_outlier' }, { issues: { op: 'issue', value: 'label_outlier' } }],
    [
      'issues',
      { 'field-value': 'blur', 'field-operator': 'out' },
      { issues: { op: 'issue', value: 'blur', mode: 'out' } },
    ],
    ['duplicates', {}, { duplicates: { op: 'duplicates', value: 0.95 } }],
    ['uniqueness', {}, { uniqueness: { op: 'uniqueness', value: 0.5 } }],
    ['height', { 'field-from': '600' }, { height: { op: 'range', from: 600 } }],
    ['created', { 'field-to': '2026-03-01' }, { created: { op: 'range', to: '2026-03-01T23:59:59.999Z' } }],
    ['field width', { 'field-value': '2' }, { metadata: { field: 'width', op: 'gt', value: 2 } }],
    ['field note', { 'field-value': 'good' }, { metadata: { field: 'note', op: 'contains', value: 'good' } }],
  ])('adds a filter by %s with %j', async (subject, values, filter) => {
    fakeServer({
      get_custom_metadata_schema: () => [
        fieldOf({ field_name: 'width', field_type: 'float' }),
        fieldOf({ field_name: 'note', field_type: 'string' }),
      ],
      get_exploration_metadata: () => ({
        ...{ dataset_id: DATASET_ID, dataset_name: 'Sample', vql: '[]', clusters_count: 0, media_count: 3 },
        ...{ labels: [{ name: 'car', count: 3 }], issues: [], clusters: [] },
      }),
      list_tags: () => [
        { id: idOf(8), tag_id: idOf(8), name: 'checked', created_at: '2026-11-01', n_images: 1, n_objects: 0 },
      ],
    });
    renderPage(<Adding />, `/dataset/${DATASET_ID}`);
    fireEvent.click(screen.getByTestId('add-filter'));
    await waitFor(() => expect(screen.getByTestId('filter-subject').textContent).toContain('note'));
    fill('filter-subject', subject);
    if (subject === 'tags')
      await waitFor(() => expect(screen.getByTestId('field-value').textContent).toContain('checked'));
    for (const [testId, value] of Object.entries(values)) fill(testId, value);
    fireEvent.click(screen.getByTestId('field-apply'));
    await waitFor(() => expect(filters()).toEqual([filter]));
    expect(screen.queryByTestId('filter-popover')).toBeNull();
  });
});
