import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { EnrichmentModel } from '../../src-main/contract/schemas/model.ts';
import { EnrichDialog } from '../../src-renderer/features/enrich/EnrichDialog.tsx';
import { usePreferences } from '../../src-renderer/lib/preferences.ts';
import { chosenItem, useSelection } from '../../src-renderer/lib/selection.ts';
import { DATASET_ID, datasetOf, idOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

const modelOf = (id: string, changes: Partial<EnrichmentModel> = {}): EnrichmentModel => ({
  ...{ id, name: id, type: 'OBJECT_DETECTION', status: 'Active', vendor: '', description: '', dependencies: null },
  ...{ package_id: id, licence: '', installed: true, size_bytes: 1, unavailable_reason: null, unavailable: null },
  runs_on_ray: true,
  ...changes,
});

const dialogOf = (chosen: readonly EnrichmentModel[]) => (
  <EnrichDialog dataset={datasetOf()} chosen={chosen} applied={{}} models={chosen} onClose={() => undefined} />
);
const open = (chosen: readonly EnrichmentModel[]) => renderPage(dialogOf(chosen));

describe('the dialog that starts an enrichment', () => {
  it('runs a model on the Ray cluster at a remembered location, and shows the tasks', async () => {
    const server = fakeServer({ compute_on_ray: () => ({ task_id: idOf(7) }) });
    const { unmount } = open([modelOf('detector')]);
    fireEvent.click(screen.getByRole('radio', { name: 'Ray cluster' }));
    expect(screen.getByTestId<HTMLButtonElement>('enrich-start').disabled).toBe(true);
    fireEvent.change(screen.getByTestId('ray-location'), { target: { value: '/exchange' } });
    fireEvent.click(screen.getByTestId('ray-gpu'));
    fireEvent.click(screen.getByTestId('enrich-start'));
    const request = { dataset_id: DATASET_ID, model_id: 'detector', location: '/exchange', use_gpu: true };
    await waitFor(() => expect(server.inputsOf('compute_on_ray')).toEqual([expect.objectContaining(request)]));
    await waitFor(() => expect(window.location.hash).toContain(`/tasks?dataset=${DATASET_ID}`));
    unmount();

    open([modelOf('detector')]);
    expect(screen.getByTestId<HTMLInputElement>('ray-location').value).toBe('/exchange');
    fireEvent.click(screen.getByRole('radio', { name: 'This machine' }));
    expect(screen.queryByTestId('ray-location')).toBeNull();
  });

  it('applies it to the selected items, unless the whole dataset is wanted', async () => {
    const server = fakeServer({ compute_on_ray: () => ({ task_id: idOf(7) }) });
    usePreferences.getState().set({ enrichment: { onRay: true, location: '/exchange', useGpu: false } });
    const page = renderPage(null);
    useSelection.getState().change(DATASET_ID, (chosen) => {
      for (const id of [idOf(1), idOf(2)]) chosen.set(id, chosenItem(id));
    });
    page.rerender(dialogOf([modelOf('detector')]));
    fireEvent.click(screen.getByTestId('enrich-start'));
    await waitFor(() => expect(server.inputsOf('compute_on_ray')).toHaveLength(1));
    fireEvent.click(screen.getByRole('radio', { name: 'Entire dataset' }));
    fireEvent.click(screen.getByTestId('enrich-start'));
    await waitFor(() => expect(server.inputsOf('compute_on_ray')).toHaveLength(2));
    expect(server.inputsOf('compute_on_ray')).toEqual([
      expect.objectContaining({
        media_selection: [{ type: 'media', payload: { media_ids: [idOf(1), idOf(2)] } }],
      }),
      expect.not.objectContaining({ media_selection: expect.anything() }),
    ]);
  });

  it('runs one model at a time there', () => {
    fakeServer();
    open([modelOf('detector'), modelOf('captioner', { type: 'CAPTION_IMAGES', runs_on_ray: false })]);
    fireEvent.click(screen.getByRole('radio', { name: 'Ray cluster' }));
    expect(screen.getByRole('alert').textContent).toContain('one model runs at a time');
    expect(screen.getByTestId<HTMLButtonElement>('enrich-start').disabled).toBe(true);
  });

  it('offers no cluster to models that cannot run on one', () => {
    fakeServer();
    open([modelOf('captioner', { type: 'CAPTION_IMAGES', runs_on_ray: false })]);
    expect(screen.queryByTestId('enrich-place')).toBeNull();
  });
});
