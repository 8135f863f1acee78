import { Compass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Route, Switch } from 'wouter';
import { Bar } from '../components/Bar.tsx';
import { Button } from '../components/Button.tsx';
import { Page } from '../components/Page.tsx';
import { StateMessage } from '../components/StateMessage.tsx';
import { AnnotationProblemsPage } from '../features/annotation-problems/AnnotationProblemsPage.tsx';
import { ClusterPage } from '../features/cluster/ClusterPage.tsx';
import { DataPage } from '../features/data/DataPage.tsx';
import { EnrichPage } from '../features/enrich/EnrichPage.tsx';
import { ExplorePage } from '../features/explore/ExplorePage.tsx';
import { FileErrorsPage } from '../features/file-errors/FileErrorsPage.tsx';
import { InventoryPage } from '../features/inventory/InventoryPage.tsx';
import { ItemPage } from '../features/item/ItemPage.tsx';
import { ModelsPage } from '../features/models/ModelsPage.tsx';
import { SettingsPage } from '../features/settings/SettingsPage.tsx';
import { TasksPage } from '../features/tasks/TasksPage.tsx';
import { navigate } from '../lib/location.ts';
import { routes } from '../lib/routes.ts';

/** Which screen an address shows. */
export function Screens() {
  return (
    <Switch>
      <Route path="/" component={InventoryPage} />
      <Route path="/tasks" component={TasksPage} />
      <Route path="/models" component={ModelsPage} />
      <Route path="/settings" component={SettingsPage} />
      <Route path="/dataset/:datasetId">
        {({ datasetId }) => <ExplorePage key={datasetId} datasetId={datasetId} />}
      </Route>
      <Route path="/dataset/:datasetId/errors">{({ datasetId }) => <FileErrorsPage datasetId={datasetId} />}</Route>
      <Route path="/dataset/:datasetId/annotation-problems">
        {({ datasetId }) => <AnnotationProblemsPage key={datasetId} datasetId={datasetId} />}
      </Route>
      <Route path="/dataset/:datasetId/data">
        {({ datasetId }) => <DataPage key={datasetId} datasetId={datasetId} />}
      </Route>
      <Route path="/dataset/:datasetId/enrich">
        {({ datasetId }) => <EnrichPage key={datasetId} datasetId={datasetId} />}
      </Route>
      <Route path="/dataset/:datasetId/cluster/:clusterId">
        {({ datasetId, clusterId }) => <ClusterPage key={clusterId} datasetId={datasetId} clusterId={clusterId} />}
      </Route>
      <Route path="/dataset/:datasetId/item/:imageId">
        {({ datasetId, imageId }) => <ItemPage datasetId={datasetId} imageId={imageId} />}
      </Route>
      <Route component={NotFound} />
    </Switch>
  );
}

function NotFound() {
  const { t } = useTranslation();
  return (
    <Page bar={<Bar title={t('error.notFoundTitle')} back={routes.inventory()} />}>
      <StateMessage
        icon={<Compass size={24} strokeWidth={1.5} />}
        title={t('error.notFoundTitle')}
        text={t('error.notFound')}
        actions={<Button onClick={() => navigate(routes.inventory())}>{t('error.toDatasets')}</Button>}
      />
    </Page>
  );
}
