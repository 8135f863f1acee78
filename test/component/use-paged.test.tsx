import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { asWritten } from '../../src-main/contract/messages.ts';
import { useItems } from '../../src-renderer/lib/explore-source.ts';
import { usePlace } from '../../src-renderer/lib/routes.ts';
import { DATASET_ID, previewOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

const TOTAL = 1000;

function Probe() {
  const list = useItems(DATASET_ID, usePlace());
  return (
    <>
      <output>
        {JSON.stringify({ total: list.total, first: list.at(0)?.file_name, last: list.at(999)?.file_name })}
      </output>
      <output data-testid="state">{list.error?.detail ?? (list.stale ? 'stale' : 'current')}</output>
      <button type="button" onClick={() => list.show(990, 999)}>
        scroll to the end
      </button>
      <button type="button" onClick={list.retry}>
        retry
      </button>
    </>
  );
}

function itemsServer(hold: { current?: Promise<void> } = {}) {
  return fakeServer({
    list_items: async ({ page_number, page_size, sort_by }) => {
      await hold.current;
      const items = Array.from({ length: page_size }, (_, n) =>
        previewOf(page_number * page_size + n, { file_name: `${sort_by}-${page_number * page_size + n}` }),
      );
      return { items, cover_sheets: [], total: TOTAL, page_number, page_size };
    },
  });
}

const answer = () => JSON.parse(screen.getAllByRole('status')[0]?.textContent ?? '');
const state = () => screen.getByTestId('state').textContent;

describe('a paged list', () => {
  it('costs one request to scroll to the end of it', async () => {
    const server = itemsServer();
    renderPage(<Probe />, `/dataset/${DATASET_ID}?flat=name`);
    await waitFor(() => expect(answer()).toEqual({ total: TOTAL, first: 'name-0' }));
    fireEvent.click(screen.getByText('scroll to the end'));
    await waitFor(() => expect(answer().last).toBe('name-999'));
    expect(server.inputsOf('list_items').map(({ page_number }) => Number(page_number))).toEqual([0, 9]);
  });

  it('shows the previous list until the next one is loaded', async () => {
    const hold: { current?: Promise<void> } = {};
    itemsServer(hold);
    renderPage(<Probe />, `/dataset/${DATASET_ID}?flat=name`);
    await waitFor(() => expect(answer().first).toBe('name-0'));
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.current = promise;
    act(() => {
      window.location.hash = `#/dataset/${DATASET_ID}?flat=size`;
    });
    await waitFor(() => expect(state()).toBe('stale'));
    expect(answer().first).toBe('name-0');
    resolve();
    await waitFor(() => expect(answer().first).toBe('size-0'));
    expect(state()).toBe('current');
  });

  it('reports a refused page, and loads it after a retry', async () => {
    const server = itemsServer().answer({
      list_items: () => {
        throw new AppError('conflict', asWritten('The dataset is being restored'));
      },
    });
    renderPage(<Probe />, `/dataset/${DATASET_ID}?flat=name`);
    await waitFor(() => expect(state()).toBe('The dataset is being restored'));
    server.answer({
      list_items: () => ({ items: [previewOf(0)], cover_sheets: [], total: 1, page_number: 0, page_size: 100 }),
    });
    fireEvent.click(screen.getByText('retry'));
    await waitFor(() => expect(answer()).toEqual({ total: 1, first: 'image-0.jpg' }));
    expect(state()).toBe('current');
  });
});
