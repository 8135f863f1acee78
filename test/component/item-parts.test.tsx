import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { describeIssue } from '../../src-main/contract/schemas/issues.ts';
import { SelectionTray } from '../../src-renderer/components/SelectionTray.tsx';
import { Issues } from '../../src-renderer/features/item/Issues.tsx';
import { ItemEdits } from '../../src-renderer/features/item/ItemEdits.tsx';
import { Tags } from '../../src-renderer/features/item/Tags.tsx';
import { useEdits } from '../../src-renderer/lib/use-edits.ts';
import { accountOf, DATASET_ID, datasetOf, editOf, idOf, imageOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

const IMAGE = imageOf(3, {
  labels: ['car'],
  user_tags: [{ tag_id: idOf(8), name: 'checked', assigned_date: '2026-11-01' }],
});
const MISLABEL = {
  issue_type: 'mislabels' as const,
  confidence: 0.87,
  issues_description: 'Its nearest neighbours have another label: bus',
  description: describeIssue({ issue: 'mislabels', instead: 'bus', by_appearance: false }),
  suggested_label: 'bus',
};
const SELECTION = [{ type: 'media', payload: { media_ids: [idOf(3)] } }];

function Parts() {
  const edits = useEdits(DATASET_ID);
  return (
    <>
      <Tags image={IMAGE} edits={edits} />
      <Issues issues={[MISLABEL]} of={IMAGE} labels={IMAGE.labels} edits={edits} />
      <ItemEdits datasetId={DATASET_ID} imageId={IMAGE.image_id} edits={edits} />
      <SelectionTray datasetId={DATASET_ID} />
    </>
  );
}

describe('the parts of an item page', () => {
  it('list the edits of the item, and undo one', async () => {
    const tagging = editOf({ edit_id: 3, kind: 'TAGS', n_changed: 5, added: ['checked'] });
    const server = fakeServer({
      get_account: () => accountOf({ authentication: true }),
      list_edits: ({ media_id }) => (media_id === IMAGE.image_id ? [editOf({ edit_id: 4 }), tagging] : []),
      undo_edit: () => tagging,
    });
    renderPage(<Parts />);
    const rows = await screen.findAllByTestId('edit-row');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^1 excluded.*owner@localhostUndo$/),
      expect.stringMatching(/^Tags of 5 items changed: \+checked.*owner@localhostUndo$/),
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Undo: Tags of 5 items changed: +checked' }));
    await screen.findByText('Undone: Tags of 5 items changed: +checked');
    expect(server.inputsOf('undo_edit')).toEqual([{ dataset_id: DATASET_ID, edit_id: 3 }]);
    await waitFor(() => expect(server.inputsOf('list_edits').length).toBeGreaterThan(1));
  });

  it('remove a tag, add one of the dataset, and create a new one', async () => {
    const server = fakeServer({
      list_tags: () => [
        { id: idOf(9), tag_id: idOf(9), name: 'good', created_at: '2026-11-01', n_images: 4, n_objects: 0 },
      ],
      edit_tags: () => editOf({ kind: 'TAGS', n_changed: 1, added: ['good'] }),
      create_tag: ({ name }) => ({
        id: idOf(10),
        tag_id: idOf(10),
        name,
        created_at: '2026-11-01',
        n_images: 0,
        n_objects: 0,
      }),
    });
    renderPage(<Parts />);
    fireEvent.click(await screen.findByRole('button', { name: 'Remove checked' }));
    await waitFor(() => expect(server.inputsOf('edit_tags').at(-1)).toMatchObject({ remove: [idOf(8)] }));

    fireEvent.click(screen.getByTestId('tag'));
    fireEvent.click(await screen.findByRole('button', { name: 'Add good' }));
    await waitFor(() => expect(server.inputsOf('edit_tags').at(-1)).toMatchObject({ add: [idOf(9)] }));
    await screen.findByText('Tags of 1 item changed: +good');

    fireEvent.click(screen.getByTestId('tag'));
    const name = await screen.findByTestId('tag-name');
    fireEvent.change(name, { target: { value: 'new one' } });
    fireEvent.keyDown(name, { key: 'Enter' });
    await waitFor(() => expect(server.inputsOf('edit_tags').at(-1)).toMatchObject({ add: [idOf(10)] }));
    expect(server.inputsOf('create_tag')[0]?.name).toBe('new one');
  });

  it('replace or confirm a doubtful label', async () => {
    const server = fakeServer({ list_tags: () => [], edit_labels: () => editOf({ kind: 'LABELS' }) });
    renderPage(<Parts />);
    expect(screen.getByText('87%')).toBeDefined();
    const replace = await screen.findByTestId('relabel');
    expect(replace.getAttribute('title')).toBe('Change label to bus');
    fireEvent.click(replace);
    await waitFor(() =>
      expect(server.inputsOf('edit_labels')).toEqual([
        { dataset_id: DATASET_ID, media_selection: SELECTION, add: ['bus'], remove: ['car'] },
      ]),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Confirm label' }));
    await waitFor(() => expect(server.inputsOf('edit_labels').at(-1)).toMatchObject({ confirm: ['car'] }));
  });

  it('offer no edits to a user who may only view', async () => {
    const server = fakeServer({ get_dataset: () => datasetOf({ my_role: 'viewer' }), list_tags: () => [] });
    renderPage(<Parts />);
    await waitFor(() => expect(server.inputsOf('get_dataset').length).toBeGreaterThan(0));
    expect(screen.getByText('checked')).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
