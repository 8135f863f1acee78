import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { asWritten } from '../../src-main/contract/messages.ts';
import { api } from '../../src-renderer/lib/api.ts';
import { useConnection } from '../../src-renderer/lib/connection.ts';
import { useSession } from '../../src-renderer/lib/session.ts';
import { accountOf, DATASET_ID, editOf, facetsOf, idOf } from '../support/answers.ts';
import { fakeServer } from '../support/render-page.tsx';

describe('the typed client', () => {
  it('sends path parameters in the path, and the rest of a GET in the query string', async () => {
    const server = fakeServer({ get_facets: () => facetsOf({ total: 3 }) });
    const facets = await api.get_facets({ dataset_id: DATASET_ID, entity_type: 'IMAGES', vql: '[]' });
    expect(facets.total).toBe(3);
    expect(server.inputsOf('get_facets')).toEqual([{ dataset_id: DATASET_ID, entity_type: 'IMAGES', vql: '[]' }]);
  });

  it('sends the rest of other calls as a JSON body', async () => {
    const server = fakeServer({ exclude: () => editOf() });
    const selection = [{ type: 'media' as const, payload: { media_ids: [idOf(1), idOf(2)] } }];
    await api.exclude({ dataset_id: DATASET_ID, media_selection: selection });
    expect(server.inputsOf('exclude')).toEqual([{ dataset_id: DATASET_ID, media_selection: selection }]);
  });

  it('throws refusals with code, sentence and fields', async () => {
    fakeServer({
      create_tag: () => {
        throw new AppError('invalid_input', asWritten('The name is too long'), { name: 'Use at most 100 characters' });
      },
    });
    await expect(api.create_tag({ dataset_id: DATASET_ID, name: 'x' })).rejects.toMatchObject({
      code: 'invalid_input',
      detail: 'The name is too long',
      fields: { name: 'Use at most 100 characters' },
      transient: false,
    });
  });

  it('reports a missing response as unreachable, and the next answer as a return', async () => {
    fakeServer();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    await expect(api.get_account({})).rejects.toMatchObject({ code: 'unreachable', transient: true });
    expect(useConnection.getState().away).toBe(true);
    fakeServer();
    await api.get_account({});
    expect(useConnection.getState().away).toBe(false);
  });

  it('ends the session when a call is refused as unauthenticated, and begins it with the next answer', async () => {
    const server = fakeServer({
      get_account: () => {
        throw new AppError('unauthenticated', asWritten('Sign in first'));
      },
    });
    await expect(api.get_account({})).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(useSession.getState().ended).toBe(true);
    server.answer({ get_account: () => accountOf() });
    await api.get_account({});
    expect(useSession.getState().ended).toBe(false);
  });

  it('does not end the session when a login is refused', async () => {
    fakeServer({
      login: () => {
        throw new AppError('unauthenticated', asWritten('Wrong password'));
      },
    });
    await expect(api.login({ username: 'a', password: 'b' })).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(useSession.getState().ended).toBe(false);
  });
});
