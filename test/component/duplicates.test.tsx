import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { DuplicateGroup } from '../../src-main/contract/schemas/duplicates.ts';
import { SelectionTray } from '../../src-renderer/components/SelectionTray.tsx';
import { DuplicatesPage } from '../../src-renderer/features/duplicates/DuplicatesPage.tsx';
import { DATASET_ID, editOf, groupOf, idOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

async function renderReview(groups: DuplicateGroup[], total = groups.length, level = '') {
  const server = fakeServer({
    list_tasks: () => ({ tasks: [], total: 0, page: 1, page_size: 20 }),
    list_duplicates: ({ duplicate_threshold, page_number, page_size }) => ({
      groups,
      total_groups: total,
      total_items: 5,
      threshold: duplicate_threshold,
      compared_items: 500,
      indexed_items: 500,
      page_number,
      page_size,
    }),
    exclude: () => editOf({ n_changed: 2 }),
    undo_edit: () => editOf({ n_changed: 2 }),
  });
  renderPage(
    <>
      <DuplicatesPage datasetId={DATASET_ID} />
      <SelectionTray datasetId={DATASET_ID} />
    </>,
    `/dataset/${DATASET_ID}/duplicates${level}`,
  );
  await screen.findByTestId(groups.length === 0 ? 'no-duplicates' : 'duplicate-groups');
  return server;
}

const GROUPS = [groupOf(idOf(100), [1, 2, 3]), groupOf(idOf(200), [4, 5], { keep_reason: 'first' })];
const rows = () => screen.getAllByTestId('duplicate-group');
const kept = () => screen.getAllByTestId('kept').map((one) => one.textContent);

describe('the duplicates review', () => {
  it('shows each group with the copy to keep and its reason', async () => {
    await renderReview(GROUPS);
    expect(rows()).toHaveLength(2);
    expect(kept()).toEqual(['Keep: highest resolution', 'Keep: added first, otherwise equal']);
    expect(screen.getByText('2 groups of duplicates')).toBeDefined();
    expect(within(rows()[0] as HTMLElement).getAllByText('98% similar')).toHaveLength(2);
  });

  it('shows how similar each image is to the copy to keep', async () => {
    const group = groupOf(idOf(100), [1, 2, 3, 4]);
    const confidences = [1, 0.98, 0.97, 1];
    const items = group.items.map((item, at) => ({ ...item, confidence: confidences[at] ?? 0 }));
    const [first, second] = items;
    await renderReview([{ ...group, items }]);
    for (const words of ['98% similar', '97% similar', 'Identical file']) expect(screen.getByText(words)).toBeDefined();
    fireEvent.click(screen.getByRole('radio', { name: `Keep ${second?.file_name}` }));
    expect(await screen.findAllByText('98% similar')).toHaveLength(2);
    expect(screen.getByText(`97% similar to ${first?.file_name}`)).toBeDefined();
  });

  it('excludes all but the copy to keep, and undoes it', async () => {
    const server = await renderReview(GROUPS);
    fireEvent.click(await screen.findByRole('button', { name: 'Exclude 2 images' }));
    const done = await screen.findByTestId('edit-done');
    expect(done.textContent).toContain('2 excluded');
    expect(server.inputsOf('exclude')[0]?.media_selection).toEqual([
      {
        type: 'cluster',
        payload: {
          cluster_id: idOf(100),
          cluster_filters: { entity_type: 'IMAGES', duplicate_threshold: 0.95 },
          exclude_media_ids: [idOf(1)],
        },
      },
    ]);
    fireEvent.click(screen.getByTestId('undo'));
    await waitFor(() => expect(screen.getByTestId('edit-done').textContent).toContain('Undone'));
    expect(server.inputsOf('undo_edit')).toHaveLength(1);
  });

  it('moves between groups and copies by arrows, and excludes by X', async () => {
    const server = await renderReview(GROUPS);
    await screen.findByRole('button', { name: 'Exclude 1 image' });
    fireEvent.keyDown(window, { key: 'ArrowDown' });
    await waitFor(() => expect(rows()[1]?.getAttribute('aria-current')).toBe('true'));
    fireEvent.keyDown(window, { key: 'ArrowRight' });
    await waitFor(() => expect(kept()[1]).toBe('Keep: your choice'));
    fireEvent.keyDown(window, { key: 'x' });
    await waitFor(() => expect(server.inputsOf('exclude')).toHaveLength(1));
    expect(server.inputsOf('exclude')[0]?.media_selection[0]?.payload).toMatchObject({ exclude_media_ids: [idOf(5)] });
  });

  it('changes the similarity, and starts at the first page of it', async () => {
    const server = await renderReview(GROUPS, 90, '?page=2');
    fireEvent.click(within(screen.getByTestId('duplicate-level')).getByText('80%'));
    await waitFor(() => expect(Number(server.inputsOf('list_duplicates').at(-1)?.duplicate_threshold)).toBe(0.8));
    expect(Number(server.inputsOf('list_duplicates').at(-1)?.page_number)).toBe(0);
  });

  it('shows different empty states for a similarity and for identical files', async () => {
    await renderReview([], 0, '?level=0.9');
    expect(screen.getByTestId('no-duplicates').textContent).toContain('No images match each other by 90% or more.');
  });
});
