import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { asWritten } from '../../src-main/contract/messages.ts';
import { FacetPanel } from '../../src-renderer/features/explore/FacetPanel.tsx';
import { usePlace } from '../../src-renderer/lib/routes.ts';
import { DATASET_ID, facetsOf, idOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

function Panel() {
  return <FacetPanel datasetId={DATASET_ID} place={usePlace()} />;
}

const filters = () => JSON.parse(new URLSearchParams(window.location.hash.split('?')[1]).get('vql') ?? '[]');

describe('the facet panel', () => {
  it('lists values with counts, and adds or removes a filter by a click', async () => {
    const server = fakeServer({
      get_facets: () =>
        facetsOf({
          labels: [
            { name: 'car', count: 3100 },
            { name: 'person', count: 40 },
          ],
          n_unlabeled: 7,
        }),
    });
    renderPage(<Panel />, `/dataset/${DATASET_ID}`);
    const rows = await screen.findAllByTestId('facet-labels');
    expect(rows.map((row) => row.textContent)).toEqual(['car3,100', 'person40', 'Without labels7']);

    fireEvent.click(screen.getByText('car'));
    await waitFor(() => expect(filters()).toEqual([{ labels: { op: 'is', value: ['car'] } }]));
    await waitFor(() => expect(server.inputsOf('get_facets').at(-1)?.vql).toContain('car'));
    const pressed = () => screen.getByText('car').closest('button')?.getAttribute('aria-pressed');
    await waitFor(() => expect(pressed()).toBe('true'));

    fireEvent.click(screen.getByText('car'));
    await waitFor(() => expect(filters()).toEqual([]));
  });

  it('shows shares of the results instead of numbers', async () => {
    fakeServer({
      get_facets: () =>
        facetsOf({
          total: 4000,
          labels: [
            { name: 'car', count: 3100 },
            { name: 'bus', count: 3 },
          ],
        }),
    });
    renderPage(<Panel />, `/dataset/${DATASET_ID}`);
    await screen.findAllByTestId('facet-labels');
    fireEvent.click(screen.getByRole('radio', { name: /Share of the results/ }));
    const words = () => screen.getAllByTestId('facet-labels').map((row) => row.textContent);
    expect(words()).toEqual(['car78%', 'bus0.1%']);
    fireEvent.click(screen.getByRole('radio', { name: /Number of items/ }));
    expect(words()).toEqual(['car3,100', 'bus3']);
  });

  it('covers the results of a narrow window until it is closed by its button or Esc', async () => {
    const closed = vi.fn();
    fakeServer({ get_facets: () => facetsOf({ total: 55, labels: [{ name: 'car', count: 55 }] }) });
    const Covering = () => <FacetPanel datasetId={DATASET_ID} place={usePlace()} onClose={closed} />;
    renderPage(<Covering />, `/dataset/${DATASET_ID}`);
    const panel = await screen.findByTestId('facets');
    expect(document.activeElement).toBe(panel);
    expect(screen.getByTestId('close-facets').textContent).toBe('Show 55 items');
    fireEvent.click(screen.getByTestId('close-facets'));
    fireEvent.keyDown(panel, { key: 'Escape' });
    expect(closed).toHaveBeenCalledTimes(2);
  });

  it('names issues, tags, sizes and days, and leaves out facets with a single value', async () => {
    fakeServer({
      get_facets: () =>
        facetsOf({
          issues: [{ name: 'odd_aspect_ratio', count: 2 }],
          tags: [{ name: 'checked', tag_id: idOf(8), count: 4 }],
          n_untagged: 496,
          media_types: [{ name: 'image', count: 500 }],
          widths: [
            { from: 256, to: 511, count: 100 },
            { from: 512, to: 1023, count: 400 },
          ],
          taken: [
            { from: '2024-01-01T00:00:00Z', to: '2024-12-31T23:59:59Z', count: 200 },
            { from: '2025-01-01T00:00:00Z', to: '2025-12-31T23:59:59Z', count: 300 },
          ],
          created: [
            { from: '2026-11-01T00:00:00Z', to: '2026-11-01T23:59:59Z', count: 10 },
            { from: '2026-11-02T00:00:00Z', to: '2026-11-03T23:59:59Z', count: 490 },
          ],
        }),
    });
    renderPage(<Panel />, `/dataset/${DATASET_ID}`);
    const panel = await screen.findByTestId('facets');
    const titles = within(panel)
      .getAllByRole('heading')
      .map((title) => title.textContent);
    expect(titles).toEqual(['Tags', 'Issues', 'Width', 'Date taken or modified', 'Date added']);
    for (const name of [
      'Unusual aspect ratio',
      'checked',
      'Untagged',
      '256–511 px',
      '2024',
      '2026-11-01',
      '2026-11-02 – 2026-11-03',
    ])
      within(panel).getByText(name);
    fireEvent.click(within(panel).getByText('checked'));
    await waitFor(() => expect(filters()).toEqual([{ tags: { op: 'is', value: [idOf(8)] } }]));
    fireEvent.click(within(panel).getByText('2025'));
    const range = { op: 'range', from: '2025-01-01T00:00:00Z', to: '2025-12-31T23:59:59Z' };
    await waitFor(() => expect(filters()).toContainEqual({ taken: range }));
  });

  it('groups a custom field by values or ranges, but not by texts that all differ', async () => {
    const field = { field_type: 'string' as const, n_values: 3, ranges: [] };
    fakeServer({
      get_facets: () =>
        facetsOf({
          metadata: [
            { ...field, field_name: 'city', values: [{ name: 'Delft', count: 3 }] },
            {
              ...field,
              field_name: 'note',
              values: Array.from({ length: 13 }, (_, n) => ({ name: `note ${n}`, count: 1 })),
            },
            {
              ...field,
              field_name: 'speed',
              field_type: 'float',
              values: [],
              ranges: [{ from: 0, to: 9.5, count: 3 }],
            },
          ],
        }),
    });
    renderPage(<Panel />, `/dataset/${DATASET_ID}`);
    const panel = await screen.findByTestId('facets');
    expect(
      within(panel)
        .getAllByRole('heading')
        .map((title) => title.textContent),
    ).toEqual(['city', 'speed']);
    fireEvent.click(within(panel).getByText('0 – 9.5'));
    await waitFor(() => expect(filters()).toEqual([{ metadata: { field: 'speed', op: 'range', from: 0, to: 9.5 } }]));
  });

  it('reports that counts could not be loaded, and retries', async () => {
    const server = fakeServer({
      get_facets: () => {
        throw new AppError('conflict', asWritten('Busy'));
      },
    });
    renderPage(<Panel />, `/dataset/${DATASET_ID}`);
    const failed = await screen.findByTestId('facets-failed');
    expect(failed.textContent).toContain('The counts could not be loaded.');
    server.answer({ get_facets: () => facetsOf({ labels: [{ name: 'car', count: 1 }] }) });
    fireEvent.click(within(failed).getByRole('button'));
    await screen.findByText('car');
  });
});
