import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { EnrichmentModel } from '../../src-main/contract/schemas/model.ts';
import { EnrichDialog } from '../../src-renderer/features/enrich/EnrichDialog.tsx';
import { DATASET_ID, datasetOf, idOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

const modelOf = (id: string, changes: Partial<EnrichmentModel> = {}): EnrichmentModel => ({
  ...{ id, name: id, type: 'OBJECT_DETECTION', status: 'Active', vendor: '', description: '', dependencies: null },
  ...{ package_id: id, licence: '', installed: true, size_bytes: 1, unavailable_reason: null, unavailable: null },
  runs_on_ray: true,
  ...changes,
});

const open = (chosen: readonly EnrichmentModel[]) =>
  renderPage(
    <EnrichDialog dataset={datasetOf()} chosen={chosen} applied={{}} models={chosen} onClose={() => undefined} />,
  );

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
