import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { SelectionTray } from '../../src-renderer/components/SelectionTray.tsx';
import { FlatGrid } from '../../src-renderer/features/explore/FlatGrid.tsx';
import { usePlace } from '../../src-renderer/lib/routes.ts';
import { useOfferList } from '../../src-renderer/lib/selectable.ts';
import { DATASET_ID, editOf, idOf, previewOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

const TOTAL = 450;

function Items() {
  const place = usePlace();
  useOfferList(place, TOTAL);
  return (
    <>
      <FlatGrid datasetId={DATASET_ID} place={place} hasErrors={false} />
      <SelectionTray datasetId={DATASET_ID} />
    </>
  );
}

async function renderItems() {
  const server = fakeServer({
    list_items: ({ page_number, page_size }) => ({
      items: Array.from({ length: Math.min(page_size, TOTAL - page_number * page_size) }, (_, n) =>
        previewOf(page_number * page_size + n),
      ),
      cover_sheets: [],
      total: TOTAL,
      page_number,
      page_size,
    }),
  });
  renderPage(<Items />, `/dataset/${DATASET_ID}?flat=name`);
  await waitFor(() => expect(tile(0).textContent).toContain('image-0.jpg'));
  return server;
}

function tile(index: number): HTMLElement {
  const found = screen.getByTestId('items-grid').querySelector<HTMLElement>(`[data-index="${index}"]`);
  if (found === null) throw new Error(`tile ${index} is not rendered`);
  return found;
}

const selected = () =>
  [...screen.getByTestId('items-grid').querySelectorAll('[aria-selected="true"]')].map((one) =>
    Number(one.getAttribute('data-index')),
  );

const press = (index: number, key: string) => {
  act(() => tile(index).focus());
  fireEvent.keyDown(tile(index), { key });
};

describe('a grid of items', () => {
  it('renders and requests only what is visible', async () => {
    const server = await renderItems();
    expect(screen.getAllByTestId('item-tile').length).toBeLessThan(100);
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(Math.ceil(TOTAL / columns())));
    expect(server.inputsOf('list_items').map(({ page_number }) => Number(page_number))).toEqual([0]);
  });

  it('opens an item on a click, with its index for the way back', async () => {
    await renderItems();
    fireEvent.click(tile(3));
    expect(window.location.hash).toMatch(new RegExp(`^#/dataset/${DATASET_ID}/item/${idOf(3)}\\?.*at=3`));
  });

  it('selects one tile by its check mark or P, and deselects it again', async () => {
    await renderItems();
    fireEvent.pointerEnter(tile(2));
    fireEvent.click(within(tile(2)).getByTestId('tile-check'));
    press(5, 'p');
    expect(selected()).toEqual([2, 5]);
    press(2, 'p');
    expect(selected()).toEqual([5]);
    expect(screen.getByTestId('selected').textContent).toBe('1 selected');
  });

  it('selects a range by Shift-click in both directions, from the tile that was selected alone', async () => {
    await renderItems();
    press(6, 'p');
    fireEvent.click(tile(9), { shiftKey: true });
    expect(selected()).toEqual([6, 7, 8, 9]);
    fireEvent.click(tile(8), { shiftKey: true });
    expect(selected()).toEqual([6, 7, 8]);
    press(4, 'P');
    expect(selected()).toEqual([4, 5, 6]);
    expect(window.location.hash).not.toContain('/item/');
  });

  it('selects a range by Shift and arrows, and makes it shorter again', async () => {
    await renderItems();
    const shift = (index: number, key: string) => {
      act(() => tile(index).focus());
      fireEvent.keyDown(tile(index), { key, shiftKey: true });
    };
    shift(2, 'ArrowRight');
    shift(3, 'ArrowRight');
    expect(selected()).toEqual([2, 3, 4]);
    shift(4, 'ArrowLeft');
    expect(selected()).toEqual([2, 3]);
  });

  it('selects a range that ends beyond the loaded pages', async () => {
    const server = await renderItems();
    press(0, 'p');
    fireEvent.keyDown(tile(0), { key: 'End', shiftKey: true });
    await waitFor(() => expect(screen.getByTestId('selected').textContent).toBe('450 selected'));
    expect(new Set(server.inputsOf('list_items').map(({ page_number }) => Number(page_number))).size).toBe(5);
  });

  it('keeps the selection after tagging and returns the focus to the tile, which T tags alone without a selection', async () => {
    const server = await renderItems();
    server.answer({
      list_tags: () => [
        { id: idOf(9), tag_id: idOf(9), name: 'good', created_at: '2026-11-01', n_images: 4, n_objects: 0 },
      ],
      edit_tags: () => editOf({ kind: 'TAGS', n_changed: 2, added: ['good'] }),
    });
    const tagGood = async (index: number) => {
      press(index, 't');
      fireEvent.click(await screen.findByRole('button', { name: 'Add good' }));
      await waitFor(() => expect(document.activeElement?.getAttribute('data-index')).toBe(String(index)));
    };
    press(1, 'p');
    press(2, 'p');
    await screen.findByTestId('tag');
    await tagGood(2);
    await screen.findByTestId('edit-done');
    expect(selected()).toEqual([1, 2]);
    press(2, 'Escape');
    await tagGood(5);
    await waitFor(() => expect(server.inputsOf('edit_tags')).toHaveLength(2));
    expect(server.inputsOf('edit_tags').map(({ media_selection }) => media_selection)).toEqual([
      [{ type: 'media', payload: { media_ids: [idOf(1), idOf(2)] } }],
      [{ type: 'media', payload: { media_ids: [idOf(5)] } }],
    ]);
    expect(selected()).toEqual([]);
  });

  it('moves the focus by arrows, Home and End within its bounds', async () => {
    await renderItems();
    const focused = () => document.querySelector('[role="gridcell"][tabindex="0"]')?.getAttribute('data-index');
    press(0, 'ArrowLeft');
    expect(focused()).toBe('0');
    press(0, 'ArrowRight');
    expect(focused()).toBe('1');
    press(1, 'ArrowDown');
    expect(focused()).toBe(String(1 + columns()));
    press(1 + columns(), 'Home');
    expect(focused()).toBe('0');
  });

  it('takes its focus back on return, but not from a dialog that is open', async () => {
    await renderItems();
    act(() => tile(3).focus());
    cleanup();
    await renderItems();
    await waitFor(() => expect(document.activeElement).toBe(tile(3)));
    cleanup();

    const dialog = document.createElement('div');
    dialog.setAttribute('role', 'dialog');
    document.body.append(dialog);
    await renderItems();
    await nextFrame();
    fireEvent.keyDown(document.body, { key: 'ArrowDown' });
    await nextFrame();
    expect(document.activeElement).toBe(document.body);
    dialog.remove();
    fireEvent.keyDown(document.body, { key: 'ArrowDown' });
    await waitFor(() => expect(document.activeElement).toBe(tile(3)));
  });

  it('opens with Enter, and clears the selection with Escape', async () => {
    await renderItems();
    press(1, 'p');
    press(1, 'Escape');
    expect(selected()).toEqual([]);
    press(1, 'Enter');
    expect(window.location.hash).toContain(`/item/${idOf(1)}`);
  });

  it('selects all results as one query, and excludes them', async () => {
    const server = await renderItems();
    server.answer({ exclude: () => editOf({ n_changed: TOTAL }) });
    press(1, 'p');
    fireEvent.click(await screen.findByTestId('select-all'));
    expect(screen.getByTestId('selected').textContent).toBe('450 selected');
    fireEvent.click(screen.getByRole('button', { name: 'Exclude 450 items' }));
    await waitFor(() => expect(server.inputsOf('exclude')).toHaveLength(1));
    expect(server.inputsOf('exclude')[0]?.media_selection).toEqual([
      { type: 'query', payload: { entity_type: 'IMAGES' } },
    ]);
  });

  it('marks every tile while all results are selected, until a tile is selected alone', async () => {
    await renderItems();
    press(1, 'p');
    fireEvent.click(await screen.findByTestId('select-all'));
    expect(selected()).toHaveLength(screen.getAllByTestId('item-tile').length);
    press(2, 'p');
    expect(selected()).toEqual([2]);
    expect(screen.getByTestId('selected').textContent).toBe('1 selected');
  });

  it('reports an edit when nothing is selected any more, and undoes it', async () => {
    const server = await renderItems();
    server.answer({
      exclude: () => editOf({ edit_id: 12, n_changed: 2 }),
      undo_edit: () => editOf({ edit_id: 13, n_changed: 2 }),
    });
    press(1, 'p');
    press(2, 'p');
    const exclude = await screen.findByRole('button', { name: 'Exclude 2 items' });
    act(() => exclude.focus());
    fireEvent.click(exclude);
    const done = await screen.findByTestId('edit-done');
    expect(done.textContent).toContain('2 excluded');
    // The button that had the focus is gone: keys go to the tile that had it before.
    expect(document.activeElement?.getAttribute('data-index')).toBe('2');
    fireEvent.click(within(done).getByTestId('undo'));
    await waitFor(() => expect(screen.getByTestId('edit-done').textContent).toContain('Undone: 2 excluded'));
    expect(server.inputsOf('undo_edit')).toEqual([{ dataset_id: DATASET_ID, edit_id: 12 }]);
    expect(screen.queryByTestId('undo')).toBeNull();
  });
});

function nextFrame(): Promise<unknown> {
  return act(() => new Promise((resolve) => requestAnimationFrame(resolve)));
}

function columns(): number {
  return Number(screen.getByRole('grid').getAttribute('aria-colcount'));
}
