import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { VitrineBridge } from '../../src-preload/bridge.ts';
import { NoticeList } from '../../src-renderer/components/NoticeList.tsx';
import { TrashButton } from '../../src-renderer/components/TrashButton.tsx';
import { useNotices } from '../../src-renderer/lib/notices.ts';
import { DATASET_ID, datasetOf, previewOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

const EXCLUDED = { entity_type: 'IMAGES', vql: '[{"excluded":{"op":"is","value":true}}]' } as const;

/** A desktop app whose bridge goes over the fake server for operations. */
function desktop(platform: string, trashFile: VitrineBridge['trashFile']) {
  vi.stubGlobal('vitrine', { platform, trashFile });
  return fakeServer({
    list_items: ({ page_number, page_size }) => ({
      ...{ items: [previewOf(1), previewOf(2), previewOf(3, { type: 'VIDEO_FRAME' })], cover_sheets: [], total: 3 },
      ...{ page_number, page_size },
    }),
  });
}

function renderButton(query: Parameters<typeof TrashButton>[0]['query'] = EXCLUDED) {
  renderPage(
    <>
      <TrashButton datasetId={DATASET_ID} query={query} />
      <NoticeList />
    </>,
    `/dataset/${DATASET_ID}`,
  );
}

const paths = (testId: string) =>
  [...screen.getByTestId(testId).querySelectorAll('li')].map(({ firstChild }) => firstChild?.textContent);

describe('moving to the trash', () => {
  beforeEach(() => useNotices.setState({ shown: [] }));

  it('lists the files, moves them after one confirmation, and moves them back', async () => {
    const trashFile = vi.fn<VitrineBridge['trashFile']>(async () => 'done');
    const server = desktop('linux', trashFile);
    renderButton();
    fireEvent.click(await screen.findByTestId('move-to-trash'));
    await screen.findByText(/^Move 2 original files/);
    expect(server.inputsOf('list_items')[0]).toMatchObject(EXCLUDED);
    expect(paths('trash-files')).toEqual(['image-1.jpg', 'image-2.jpg']);
    expect(trashFile).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Move 2 files' }));
    await screen.findByText('2 files moved to the trash');
    expect(screen.queryByTestId('trash-dialog')).toBeNull();
    fireEvent.click(screen.getByTestId('notice-action'));
    await screen.findByText('2 files moved back from the trash.');
    expect(trashFile.mock.calls).toEqual([
      ['move', '/original/1'],
      ['move', '/original/2'],
      ['restore', '/original/1'],
      ['restore', '/original/2'],
    ]);
  });

  it('lists the files that could not be moved, and offers no undo where the system has none', async () => {
    desktop('darwin', async (_action, address) => (address === '/original/1' ? 'done' : 'failed'));
    renderButton();
    fireEvent.click(await screen.findByTestId('move-to-trash'));
    await screen.findByText(/Vitrine cannot move the files back/);
    fireEvent.click(screen.getByTestId('confirm-trash'));
    await screen.findByText('1 file was not moved');
    expect(paths('trash-failures')).toEqual(['image-2.jpg']);
    expect(screen.getByText(/^The system refused/)).toBeDefined();
    await screen.findByText('1 file moved to the trash. It can be restored from there.');
    expect(screen.queryByTestId('notice-action')).toBeNull();
  });

  it('is offered for images in the desktop app, to people who may edit', async () => {
    desktop('linux', async () => 'done');
    renderButton({ ...EXCLUDED, entity_type: 'OBJECTS' });
    vi.stubGlobal('vitrine', undefined);
    renderButton();
    vi.stubGlobal('vitrine', { platform: 'linux', trashFile: async () => 'done' });
    const server = fakeServer({ get_dataset: () => datasetOf({ my_role: 'viewer' }) });
    renderButton();
    await waitFor(() => expect(server.inputsOf('get_dataset').length).toBeGreaterThan(0));
    expect(screen.queryByTestId('move-to-trash')).toBeNull();
  });
});
