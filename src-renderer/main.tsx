import './lib/no-eval.ts';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { createQueryClient } from './app/query-client.ts';
import { followLanguage } from './i18n/language.ts';
import { startI18n } from './i18n/start-i18n.ts';
import { api, transport } from './lib/api.ts';
import { followConnection } from './lib/connection.ts';
import { reportSelection } from './lib/embedding.ts';
import { invalidateOnEvents } from './lib/event-invalidation.ts';
import { preloadPageAt } from './lib/lazy-page.ts';
import { currentAddress } from './lib/location.ts';
import { watchPreferences } from './lib/preferences.ts';
import { routes } from './lib/routes.ts';
import { followSession } from './lib/session.ts';
import { operationQuery } from './lib/use-operation.ts';

startI18n();
watchPreferences();
const client = createQueryClient();
const followed = invalidateOnEvents(client, transport);
preloadPageAt(currentAddress());
// Renders nothing before the session is known. The inventory is the usual first screen.
void client.prefetchQuery(operationQuery('get_account', {}));
if (currentAddress() === routes.inventory()) void client.prefetchQuery(operationQuery('list_datasets', {}));
followConnection(client, () => api.healthcheck({}));
followSession(client);
reportSelection();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element');
// Renders after the event stream is open: a change between an answer and the stream would be missed.
void Promise.all([followed, followLanguage()]).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App client={client} />
    </StrictMode>,
  ),
);
