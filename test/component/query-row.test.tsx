import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { asWritten } from '../../src-main/contract/messages.ts';
import { QueryRow } from '../../src-renderer/features/explore/QueryRow.tsx';
import type { PlaceFilter } from '../../src-renderer/lib/filters.ts';
import { routes, usePlace } from '../../src-renderer/lib/routes.ts';
import { DATASET_ID, fieldOf, idOf, previewOf } from '../support/answers.ts';
import type { Answers } from '../support/fake-server.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

const onEditText = vi.fn();
const onEditLabels = vi.fn();

function Row() {
  return <QueryRow datasetId={DATASET_ID} place={usePlace()} onEditText={onEditText} onEditLabels={onEditLabels} />;
}

const ANSWERS: Answers = {
  list_items: ({ page_number, page_size }) => ({
    items: [previewOf(1)],
    cover_sheets: [],
    total: 34,
    page_number,
    page_size,
  }),
  list_tags: () => [
    { id: idOf(8), tag_id: idOf(8), name: 'checked', created_at: '2026-11-01', n_images: 1, n_objects: 0 },
  ],
  get_custom_metadata_schema: () => [fieldOf({ field_name: 'speed', field_type: 'float' })],
  explore: () => ({
    clusters: [],
    cover_sheets: [],
    metadata: {
      used_duckdb: false,
      total_clusters: 3,
      total_singles: 0,
      total_items: 34,
      hidden_clusters: 0,
      cut_off: null,
    },
  }),
  get_levels: () => {
    throw new AppError('conflict', asWritten('Not needed here'));
  },
};

async function renderQuery(place: Parameters<typeof routes.explore>[1]) {
  const server = fakeServer(ANSWERS);
  renderPage(<Row />, routes.explore(DATASET_ID, place));
  await screen.findByTestId('query-row');
  return server;
}

const chips = () => screen.getAllByTestId('filter-chip');
const placeNow = () => new URLSearchParams(window.location.hash.split('?')[1]);

describe('the chips of a query', () => {
  it.each<[PlaceFilter, string]>([
    [{ labels: { op: 'is_not', value: ['car'] } }, 'Labelsis not car'],
    [{ labels: { op: 'is', value: ['car', 'bus'] } }, 'LabelsAll of car, bus'],
    [{ labels: { op: 'one_of', value: ['car', 'bus'] } }, 'Labelscar, bus'],
    [{ tags: { op: 'is', value: [idOf(8)] } }, 'Tagschecked'],
    [{ tags: { op: 'is', value: ['untagged'] } }, 'TagsUntagged'],
    [{ folders: { op: 'starts_with', value: ['trips'] } }, 'Foldersstarts with trips'],
    [{ width: { op: 'range', from: 256, to: 511 } }, 'Width256 – 511'],
    [
      { taken: { op: 'range', from: '2024-02-01T00:00:00.000Z', to: '2024-02-29T23:59:59.999Z' } },
      'Date taken or modified2024-02',
    ],
    [
      { taken: { op: 'range', from: '2024-02-01T00:00:00.000Z', to: '2024-03-02T23:59:59.999Z' } },
      'Date taken or modified2024-02-01 – 2024-03-02',
    ],
    [{ excluded: { op: 'is', value: true } }, 'Excludedyes'],
    [{ metadata: { field: 'speed', op: 'gt', value: 30 } }, 'speed> 30'],
    [{ duplicates: { op: 'duplicates', value: 0.95 } }, 'Duplicatesat least 95%'],
    [{ uniqueness: { op: 'uniqueness', value: 0.1 } }, 'Uniquenessat least 10%'],
    [{ folders: { op: 'one_of', value: ['a', 'b', 'c', 'd'] } }, 'Folders4 values'],
  ])('describe %j as %s, with the number of matches', async (filter, words) => {
    await renderQuery({ filters: [filter] });
    await waitFor(() => expect(chips().map((chip) => chip.textContent)).toEqual([`${words}34`]));
  });

  it('describe an issue with its minimum confidence', async () => {
    await renderQuery({ filters: [{ issues: { op: 'issue', value: 'blur', mode: 'out', confidence_min: 0.8 } }] });
    await waitFor(() => expect(screen.getByTestId('query-row').textContent).toContain('not Blurred from 80%'));
  });

  it('change the operator of a filter, and keep its place', async () => {
    const width: PlaceFilter = { width: { op: 'range', from: 256, to: 511 } };
    const filters = () => JSON.parse(placeNow().get('vql') ?? '[]');
    await renderQuery({ filters: [{ labels: { op: 'is', value: ['car'] } }, width] });
    const [first] = screen.getAllByTestId('change-filter');
    fireEvent.click(first as HTMLElement);
    fireEvent.click(await screen.findByRole('radio', { name: 'Is not' }));
    await waitFor(() => expect(filters()).toEqual([{ labels: { op: 'is_not', value: ['car'] } }, width]));
    expect(chips()[0]?.textContent).toContain('is not car');
  });

  it('change the folder that a filter names, and how it is compared', async () => {
    const filters = () => JSON.parse(placeNow().get('vql') ?? '[]');
    await renderQuery({ filters: [{ folders: { op: 'one_of', value: ['trips/2024'] } }] });
    fireEvent.click(screen.getByTestId('change-filter'));
    fireEvent.click(await screen.findByRole('radio', { name: 'Starts with' }));
    await waitFor(() => expect(filters()).toEqual([{ folders: { op: 'starts_with', value: ['trips/2024'] } }]));
    const value = screen.getByTestId('filter-value');
    fireEvent.change(value, { target: { value: 'trips' } });
    expect(filters()[0].folders.value).toEqual(['trips/2024']);
    fireEvent.submit(value);
    await waitFor(() => expect(filters()).toEqual([{ folders: { op: 'starts_with', value: ['trips'] } }]));
  });

  it.each<[string, PlaceFilter, PlaceFilter]>([
    ['field-to', { width: { op: 'range', from: 256, to: 511 } }, { width: { op: 'range', from: 256, to: 600 } }],
    [
      'field-to',
      { taken: { op: 'range', from: '2024-02-01T00:00:00.000Z', to: '2024-02-29T23:59:59.999Z' } },
      { taken: { op: 'range', from: '2024-02-01', to: '2024-03-31T23:59:59.999Z' } },
    ],
    [
      'field-value',
      { metadata: { field: 'speed', op: 'gt', value: 30 } },
      { metadata: { field: 'speed', op: 'gt', value: 600 } },
    ],
  ])('change the %s of a filter in a form', async (input, before, after) => {
    await renderQuery({ filters: [before] });
    fireEvent.click(await screen.findByTestId('change-filter'));
    const typed = 'taken' in before ? '2024-03-31' : '600';
    fireEvent.change(await screen.findByTestId(input), { target: { value: typed } });
    fireEvent.submit(screen.getByTestId(input));
    await waitFor(() => expect(JSON.parse(placeNow().get('vql') ?? '[]')).toEqual([after]));
  });

  it('refuse bounds in the wrong order', async () => {
    await renderQuery({ filters: [{ width: { op: 'range', from: 256, to: 511 } }] });
    fireEvent.click(screen.getByTestId('change-filter'));
    fireEvent.change(await screen.findByTestId('field-to'), { target: { value: '100' } });
    expect(screen.getByTestId<HTMLButtonElement>('field-apply').disabled).toBe(true);
  });

  it('remove one filter and keep the others', async () => {
    const labels: PlaceFilter = { labels: { op: 'is', value: ['car'] } };
    const width: PlaceFilter = { width: { op: 'range', from: 256, to: 511 } };
    await renderQuery({ filters: [labels, width] });
    expect(chips()).toHaveLength(2);
    const [first] = chips();
    fireEvent.click(within(first as HTMLElement).getByRole('button', { name: 'Remove this filter' }));
    await waitFor(() => expect(JSON.parse(placeNow().get('vql') ?? '')).toEqual([width]));
  });

  it('edit or clear a search by text and by labels', async () => {
    await renderQuery({ text: 'red bus', within: 'words', labels: ['car', 'bus'], labelMode: 'none' });
    const text = screen.getByTestId('text-chip');
    fireEvent.click(within(text).getByRole('button', { name: /Edit search/ }));
    expect(onEditText).toHaveBeenCalled();
    const labels = screen.getByTestId('label-chip');
    expect(labels.textContent).toContain('None of car, bus');
    fireEvent.click(within(labels).getByRole('button', { name: /Edit label filter/ }));
    expect(onEditLabels).toHaveBeenCalled();
    fireEvent.click(within(labels).getByRole('button', { name: 'Remove label filter' }));
    await waitFor(() => expect(screen.queryByTestId('label-chip')).toBeNull());
    expect(placeNow().get('text')).toBe('red bus');
    fireEvent.click(within(text).getByRole('button', { name: 'Clear search' }));
    await waitFor(() => expect(placeNow().get('text')).toBeNull());
  });
});
