import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Tooltip } from 'radix-ui';
import { Router } from 'wouter';
import { SignInGate } from '../features/sign-in/SignInGate.tsx';
import { useHashPath, useHashSearch } from '../lib/location.ts';
import { Frame } from './Frame.tsx';
import { Screens } from './Screens.tsx';

export function App({ client }: { client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <Tooltip.Provider delayDuration={500} skipDelayDuration={200} disableHoverableContent>
        <Router hook={useHashPath} searchHook={useHashSearch}>
          <SignInGate>
            <Frame>
              <Screens />
            </Frame>
          </SignInGate>
        </Router>
      </Tooltip.Provider>
    </QueryClientProvider>
  );
}
