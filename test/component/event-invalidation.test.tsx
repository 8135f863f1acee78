import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useAccount } from '../../src-renderer/lib/account.ts';
import { transport } from '../../src-renderer/lib/api.ts';
import { useDataset } from '../../src-renderer/lib/datasets.ts';
import { invalidateOnEvents } from '../../src-renderer/lib/event-invalidation.ts';
import { useOperation } from '../../src-renderer/lib/use-operation.ts';
import { accountOf, DATASET_ID, datasetOf, idOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

function Probe() {
  useAccount();
  const { data } = useDataset(DATASET_ID);
  const { data: tags } = useOperation('list_tags', { dataset_id: DATASET_ID });
  return <output>{`${data?.display_name} ${tags?.length}`}</output>;
}

async function renderFollowing() {
  const server = fakeServer({ list_tags: () => [] });
  const { client } = renderPage(<Probe />);
  await invalidateOnEvents(client, transport);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Street scenes 0'));
  return server;
}

describe('events', () => {
  it('reload the data that they make stale, once per burst', async () => {
    const server = await renderFollowing();
    server.answer({ get_dataset: () => datasetOf({ display_name: 'Renamed' }) });
    for (let n = 0; n < 10; n += 1) server.emit({ name: 'dataset_changed', data: { dataset_id: DATASET_ID } });
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Renamed 0'));
    expect(server.inputsOf('get_dataset')).toHaveLength(2);
    expect(server.inputsOf('list_tags')).toHaveLength(2);
  });

  it('of edits of other people reload later than own ones', async () => {
    const server = await renderFollowing();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    // The wait is 7.5 s. A shorter one would be followed by the page's own reload within this test.
    const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    onTestFinished(() => {
      chance.mockRestore();
      vi.useRealTimers();
    });
    const edit = (editedBy: string) =>
      server.emit({ name: 'dataset_changed', data: { dataset_id: DATASET_ID, edited_by: editedBy } });
    edit(idOf(9));
    await vi.advanceTimersByTimeAsync(4_900);
    expect(server.inputsOf('get_dataset')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_800);
    expect(server.inputsOf('get_dataset')).toHaveLength(2);
    edit(accountOf().user_id);
    await vi.advanceTimersByTimeAsync(500);
    expect(server.inputsOf('get_dataset')).toHaveLength(3);
  });

  it('do not reload other datasets or operations', async () => {
    const server = await renderFollowing();
    server.emit({ name: 'dataset_changed', data: { dataset_id: idOf(5) } });
    server.emit({ name: 'models_changed', data: { downloading: [] } });
    server.emit({ name: 'dataset_deleted', data: { dataset_id: DATASET_ID } });
    // The deletion comes last and concerns `get_dataset` alone: when it has had its effect, so have the others.
    await vi.waitFor(() => expect(server.inputsOf('get_dataset')).toHaveLength(2));
    expect(server.inputsOf('list_tags')).toHaveLength(1);
  });
});
