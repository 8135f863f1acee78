import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import { Router } from 'wouter';
import { createQueryClient } from '../../src-renderer/app/query-client.ts';
import { useLastEdit } from '../../src-renderer/lib/last-edit.ts';
import { useHashPath, useHashSearch } from '../../src-renderer/lib/location.ts';
import { useSelection } from '../../src-renderer/lib/selection.ts';
import { accountOf, datasetOf } from './answers.ts';
import { type Answers, FakeServer } from './fake-server.ts';

/** A fake server with the local owner and one dataset. `answers` adds more responses. */
export function fakeServer(answers: Answers = {}): FakeServer {
  const server = new FakeServer();
  server.answer({ get_account: () => accountOf(), get_dataset: () => datasetOf(), ...answers });
  server.install();
  return server;
}

/** Renders part of the app with its providers at an in-app address. */
export function renderPage(content: ReactNode, address = '/') {
  window.location.hash = `#${address}`;
  useSelection.getState().clear();
  useLastEdit.getState().forget();
  const client = createQueryClient();
  const wrapped = (part: ReactNode) => (
    <QueryClientProvider client={client}>
      <Tooltip.Provider>
        <Router hook={useHashPath} searchHook={useHashSearch}>
          {part}
        </Router>
      </Tooltip.Provider>
    </QueryClientProvider>
  );
  const { rerender, ...page } = render(wrapped(content));
  return { ...page, client, rerender: (part: ReactNode) => rerender(wrapped(part)) };
}
