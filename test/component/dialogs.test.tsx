import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { asWritten } from '../../src-main/contract/messages.ts';
import { ConfirmDialog } from '../../src-renderer/components/ConfirmDialog.tsx';
import { Drawer } from '../../src-renderer/components/Drawer.tsx';
import { ShareDialog } from '../../src-renderer/components/ShareDialog.tsx';
import { ExportDialog } from '../../src-renderer/features/exports/ExportDialog.tsx';
import { SnapshotsDrawer } from '../../src-renderer/features/snapshots/SnapshotsDrawer.tsx';
import { useExportRequest } from '../../src-renderer/lib/export-request.ts';
import { useSnapshotsRequest } from '../../src-renderer/lib/snapshots-request.ts';
import { DATASET_ID, datasetOf, idOf, snapshotOf, statsOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

const EXPORT = {
  id: idOf(50),
  dataset_id: DATASET_ID,
  created_at: '2026-11-01T10:00:00Z',
  download_uri: null,
  progress: 0,
  status: 'INIT' as const,
  entities_count: 0,
  result_message: '',
  export_format: 'json' as const,
  include_images: false,
  file_name: '',
  size_bytes: null,
  is_stopped: false,
  expires_at: '2026-11-02T10:00:00Z',
};

describe('the export dialog', () => {
  it('exports the selection by default, and the entire dataset on request', async () => {
    const server = fakeServer({
      list_exports: () => ({ exports: [] }),
      export_entities_async: () => EXPORT,
      export_dataset_async: () => EXPORT,
    });
    const selection = [{ type: 'media' as const, payload: { media_ids: [idOf(1)] } }];
    useExportRequest.getState().open(DATASET_ID, { chosen: { selection, count: 1 } });
    renderPage(<ExportDialog />);
    const dialog = await screen.findByTestId('export-dialog');
    await waitFor(() => expect(within(dialog).getByText('Entire dataset (500)')).toBeDefined());
    expect(within(dialog).getByRole('radio', { name: 'Selected items (1)', checked: true })).toBeDefined();
    fireEvent.click(within(dialog).getByTestId('export-start'));
    await waitFor(() => expect(server.inputsOf('export_entities_async')).toHaveLength(1));

    fireEvent.click(within(dialog).getByRole('radio', { name: /^Entire dataset/ }));
    fireEvent.click(within(dialog).getByRole('radio', { name: /^COCO/ }));
    await waitFor(() => expect(within(dialog).getByTestId<HTMLButtonElement>('export-start').disabled).toBe(false));
    fireEvent.click(within(dialog).getByTestId('export-start'));
    await waitFor(() => expect(server.inputsOf('export_dataset_async')[0]).toMatchObject({ export_format: 'coco' }));
    useExportRequest.getState().close();
  });

  it('counts the video frames, which are exported too', async () => {
    fakeServer({
      get_dataset: () => datasetOf({ n_images: 325, n_videos: 6 }),
      get_dataset_stats: () => statsOf({ n_images: 325, n_videos: 6, n_frames: 47 }),
      list_exports: () => ({ exports: [] }),
    });
    useExportRequest.getState().open(DATASET_ID);
    renderPage(<ExportDialog />);
    await screen.findByText('Entire dataset (372)');
    useExportRequest.getState().close();
  });

  it('does not start while the dataset is busy', async () => {
    fakeServer({
      get_dataset: () => datasetOf({ status_new: 'READ ONLY', status: 'UPDATING' }),
      list_exports: () => ({ exports: [] }),
    });
    useExportRequest.getState().open(DATASET_ID);
    renderPage(<ExportDialog />);
    await screen.findByText('The dataset is busy. You can export it when it is ready.');
    expect(screen.getByTestId<HTMLButtonElement>('export-start').disabled).toBe(true);
    useExportRequest.getState().close();
  });
});

describe('the share dialog', () => {
  it('invites and revokes, and shows why an invitation is refused', async () => {
    const shares = [
      { email: 'owner@localhost', role: 'owner' as const },
      { email: 'eve@example.org', role: 'viewer' as const },
    ];
    const server = fakeServer({
      list_shares: () => shares,
      invite: () => {
        throw new AppError('invalid_input', asWritten('Invalid'), {
          grant_to_user_email: 'No account has this address',
        });
      },
      revoke_share: () => ({ revoked: true }),
    });
    renderPage(<ShareDialog datasetId={DATASET_ID} name="Street scenes" onClose={() => undefined} />);
    await waitFor(() => expect(screen.getAllByTestId('share-row')).toHaveLength(2));
    fireEvent.change(screen.getByTestId('share-email'), { target: { value: 'nobody@example.org' } });
    fireEvent.click(screen.getByTestId('share-invite'));
    await screen.findByText('No account has this address');
    expect(screen.getByTestId('share-email').getAttribute('aria-invalid')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: 'Revoke access of eve@example.org' }));
    await waitFor(() => expect(server.inputsOf('revoke_share')[0]).toMatchObject({ user_email: 'eve@example.org' }));
  });
});

describe('the snapshots drawer', () => {
  it('can restore the current snapshot, but not remove it', async () => {
    fakeServer({ list_snapshots: () => [snapshotOf(2, { is_current: true })] });
    useSnapshotsRequest.getState().open(DATASET_ID);
    renderPage(<SnapshotsDrawer />);
    fireEvent.keyDown(await screen.findByTestId('snapshot-menu'), { key: 'Enter' });
    await screen.findByRole('menuitem', { name: 'Restore snapshot' });
    expect(screen.queryByRole('menuitem', { name: 'Remove snapshot' })).toBeNull();
    useSnapshotsRequest.getState().close();
  });

  it('restores a snapshot after a confirmation', async () => {
    const server = fakeServer({
      list_snapshots: () => [snapshotOf(2, { is_current: true }), snapshotOf(1)],
      restore_snapshot: () => undefined,
    });
    useSnapshotsRequest.getState().open(DATASET_ID);
    renderPage(<SnapshotsDrawer />);
    const menus = await screen.findAllByTestId('snapshot-menu');
    fireEvent.keyDown(menus[1] as HTMLElement, { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Restore snapshot' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).toContain('Restore “Snapshot 1”?');
    expect(server.inputsOf('restore_snapshot')).toHaveLength(0);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Restore snapshot' }));
    await waitFor(() =>
      expect(server.inputsOf('restore_snapshot')[0]).toMatchObject({
        snapshot_id: idOf(1),
        keep_as: 'Before restoring Snapshot 1',
      }),
    );
    useSnapshotsRequest.getState().close();
  });

  it('reports a removal whose row disappears before the response arrives, and keeps the focus', async () => {
    const response = Promise.withResolvers<undefined>();
    const snapshots = [snapshotOf(2, { is_current: true }), snapshotOf(1)];
    fakeServer({ list_snapshots: () => [...snapshots], delete_snapshot: () => response.promise });
    useSnapshotsRequest.getState().open(DATASET_ID);
    const { client } = renderPage(<SnapshotsDrawer />);
    const menus = await screen.findAllByTestId('snapshot-menu');
    fireEvent.keyDown(menus[1] as HTMLElement, { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove snapshot' }));
    fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove snapshot' }));
    snapshots.pop();
    await client.invalidateQueries();
    await waitFor(() => expect(screen.getAllByTestId('snapshot-row')).toHaveLength(1));
    response.resolve(undefined);
    await screen.findByText('“Snapshot 1” was removed.');
    await waitFor(() => expect(screen.getByTestId('snapshots-drawer').contains(document.activeElement)).toBe(true));
    useSnapshotsRequest.getState().close();
  });
});

describe('a dialog over a drawer', () => {
  it('returns the focus to the drawer if no element had it when the dialog opened', async () => {
    const page = (isAsking: boolean) => (
      <Drawer title="Below" testId="below" onClose={() => undefined}>
        {isAsking && (
          <ConfirmDialog title="Sure?" confirm="Yes" onConfirm={() => undefined} onClose={() => undefined}>
            <p>Really?</p>
          </ConfirmDialog>
        )}
      </Drawer>
    );
    fakeServer();
    const { rerender } = renderPage(page(false));
    const drawer = await screen.findByTestId('below');
    await waitFor(() => expect(document.activeElement).toBe(drawer));
    drawer.blur();
    rerender(page(true));
    await screen.findByRole('alertdialog');
    rerender(page(false));
    await waitFor(() => expect(document.activeElement).toBe(drawer));
  });
});
