import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { InventoryPage } from '../../src-renderer/features/inventory/InventoryPage.tsx';
import { NO_FILTERS, type Sort, useInventory } from '../../src-renderer/features/inventory/inventory.store.ts';
import { datasetOf, idOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

const DATASETS = [
  datasetOf({
    id: idOf(1),
    display_name: 'Old',
    created_at: '2026-01-05T10:00:00.000Z',
    n_images: 900,
    disk_bytes: 4_200_000,
  }),
  datasetOf({
    ...{ id: idOf(2), display_name: 'New', n_images: 20, n_videos: 3 },
    ...{ created_at: '2026-03-05T10:00:00.000Z', updated_at: '2026-03-06T10:00:00.000Z' },
  }),
];

describe('the datasets', () => {
  it('are sorted by date and size, and show the date and the numbers they are sorted by', async () => {
    useInventory.setState({ search: '', filters: NO_FILTERS, sort: 'newest' });
    fakeServer({ list_datasets: () => DATASETS, list_tasks: () => ({ tasks: [], total: 0, page: 1, page_size: 20 }) });
    renderPage(<InventoryPage />);
    await screen.findByTestId('datasets');
    const shown = (sort: Sort) => {
      act(() => useInventory.setState({ sort }));
      return screen
        .getAllByTestId('dataset-card')
        .map((card) => [
          card.querySelector('a')?.textContent,
          card.querySelector('time')?.getAttribute('datetime')?.slice(0, 10),
        ]);
    };
    expect(shown('newest')).toEqual([
      ['New', '2026-03-05'],
      ['Old', '2026-01-05'],
    ]);
    // By the last change, the date of the change is shown.
    expect(shown('changed')).toEqual([
      ['Old', '2026-11-01'],
      ['New', '2026-03-06'],
    ]);
    expect(shown('smallest')).toEqual([
      ['New', '2026-03-05'],
      ['Old', '2026-01-05'],
    ]);
    // A dataset whose size was not counted yet is last.
    expect(shown('disk').map(([name]) => name)).toEqual(['Old', 'New']);
    expect(screen.getAllByTestId('dataset-size').map(({ textContent }) => textContent)).toEqual(['4.2 MB']);
    expect(screen.getByText('20 images · 3 videos')).toBeDefined();
    expect(screen.getByText('900 images')).toBeDefined();
  });

  it('can leave out failed datasets until they are shown again', async () => {
    useInventory.setState({ search: '', filters: NO_FILTERS, sort: 'newest' });
    const failed = datasetOf({ id: idOf(3), display_name: 'Broken', status_new: 'ERROR', status: 'FATAL_ERROR' });
    fakeServer({
      list_datasets: () => [...DATASETS, failed],
      list_tasks: () => ({ tasks: [], total: 0, page: 1, page_size: 20 }),
    });
    renderPage(<InventoryPage />);
    await screen.findByTestId('datasets');
    const names = () => screen.getAllByTestId('dataset-card').map((card) => card.querySelector('a')?.textContent);
    expect(names()).toEqual(['Broken', 'New', 'Old']);
    fireEvent.pointerDown(within(screen.getAllByTestId('dataset-card')[0] as HTMLElement).getByTestId('dataset-menu'), {
      button: 0,
      ctrlKey: false,
    });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove from the list' }));
    await waitFor(() => expect(names()).toEqual(['New', 'Old']));
    expect(screen.getByTestId('dismissed').textContent).toContain('1 failed dataset is not listed');
    fireEvent.click(screen.getByTestId('show-dismissed'));
    await waitFor(() => expect(names()).toEqual(['Broken', 'New', 'Old']));
  });

  it('are found by text, and filtered by state and contents', async () => {
    useInventory.setState({ search: '', filters: NO_FILTERS, sort: 'newest' });
    const draft = datasetOf({
      id: idOf(3),
      display_name: 'Third',
      status_new: 'DRAFT',
      description: 'From the harbour',
    });
    fakeServer({
      list_datasets: () => [...DATASETS, draft],
      list_tasks: () => ({ tasks: [], total: 0, page: 1, page_size: 20 }),
    });
    renderPage(<InventoryPage />);
    await screen.findByTestId('datasets');
    const names = () => screen.getAllByTestId('dataset-card').map((card) => card.querySelector('a')?.textContent);
    const choose = async (entry: string) => {
      const filter = screen.getByTestId('inventory-filter');
      if (filter.getAttribute('aria-expanded') !== 'true') fireEvent.keyDown(filter, { key: 'Enter' });
      fireEvent.click(await screen.findByTestId(entry));
    };
    fireEvent.change(screen.getByLabelText('Search datasets'), { target: { value: 'HARBOUR' } });
    expect(names()).toEqual(['Third']);
    fireEvent.change(screen.getByLabelText('Search datasets'), { target: { value: '' } });
    await choose('filter-state-ready');
    expect(names()).toEqual(['New', 'Old']);
    await choose('filter-media-VIDEOS');
    expect(names()).toEqual(['New']);
    expect(screen.getByText('1 of 3 datasets')).toBeDefined();
    // One owner and one source: nothing to choose.
    expect(screen.queryByTestId('filter-owner-mine')).toBeNull();
    await choose('filter-state-ready');
    await choose('filter-state-draft');
    expect(screen.getByText('No dataset matches the filters')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Show all', hidden: true }));
    expect(names()).toHaveLength(3);
  });
});
