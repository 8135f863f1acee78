import { Compass, type LucideIcon, Trash2, UserX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, Route, Switch } from 'wouter';
import type { CallableOperationId } from '../../src-main/contract/contract.ts';
import { Bar } from '../components/Bar.tsx';
import { Button } from '../components/Button.tsx';
import { Page } from '../components/Page.tsx';
import { StateMessage } from '../components/StateMessage.tsx';
import { AccountPage } from '../features/account/AccountPage.tsx';
import { AnnotationProblemsPage } from '../features/annotation-problems/AnnotationProblemsPage.tsx';
import { ApiPage } from '../features/api/ApiPage.tsx';
import { AuditPage } from '../features/audit/AuditPage.tsx';
import { ClusterPage } from '../features/cluster/ClusterPage.tsx';
import { ComparePage } from '../features/compare/ComparePage.tsx';
import { DataPage } from '../features/data/DataPage.tsx';
import { DuplicatesPage } from '../features/duplicates/DuplicatesPage.tsx';
import { EnrichPage } from '../features/enrich/EnrichPage.tsx';
import { ExplorePage } from '../features/explore/ExplorePage.tsx';
import { FileErrorsPage } from '../features/file-errors/FileErrorsPage.tsx';
import { InventoryPage } from '../features/inventory/InventoryPage.tsx';
import { ItemPage } from '../features/item/ItemPage.tsx';
import { ModelsPage } from '../features/models/ModelsPage.tsx';
import { RecoveryPage } from '../features/recovery/RecoveryPage.tsx';
import { SettingsPage } from '../features/settings/SettingsPage.tsx';
import { TasksPage } from '../features/tasks/TasksPage.tsx';
import { MembersPage } from '../features/users/MembersPage.tsx';
import { UsersPage } from '../features/users/UsersPage.tsx';
import { ViewsPage } from '../features/views/ViewsPage.tsx';
import { useIsShared, useMay } from '../lib/account.ts';
import { useDataset } from '../lib/datasets.ts';
import { useDeletedDatasets } from '../lib/deleted-datasets.ts';
import { navigate } from '../lib/location.ts';
import { MAX_COMPARED, routes } from '../lib/routes.ts';

/** Selects the screen for the current address. */
export function Screens() {
  const isShared = useIsShared();
  return (
    <Switch>
      <Route path="/" component={InventoryPage} />
      <Route path="/tasks" component={TasksPage} />
      <Route path="/models" component={ModelsPage} />
      <Route path="/settings" component={SettingsPage} />
      <Route path="/recovery">
        <Gate operation="get_recovery">
          <RecoveryPage />
        </Gate>
      </Route>
      <Route path="/account">{isShared ? <AccountPage /> : <NotFound />}</Route>
      <Route path="/api" component={ApiPage} />
      <Route path="/audit">
        <Gate operation="list_audit_entries">
          <AuditPage />
        </Gate>
      </Route>
      <Route path="/users">
        <Gate operation="list_users">
          <UsersPage />
        </Gate>
      </Route>
      <Route path="/members">
        <Gate operation="list_members">
          <MembersPage />
        </Gate>
      </Route>
      <Route path="/setup" component={Home} />
      <Route path="/login" component={Home} />
      <Route path="/dataset/:datasetId/*?">
        {({ datasetId }) => (
          <DatasetGate key={datasetId} datasetId={datasetId}>
            <DatasetScreens />
          </DatasetGate>
        )}
      </Route>
      <Route component={NotFound} />
    </Switch>
  );
}

function DatasetScreens() {
  return (
    <Switch>
      <Route path="/dataset/:datasetId">{({ datasetId }) => <ExplorePage datasetId={datasetId} />}</Route>
      <Route path="/dataset/:datasetId/errors">{({ datasetId }) => <FileErrorsPage datasetId={datasetId} />}</Route>
      <Route path="/dataset/:datasetId/annotation-problems">
        {({ datasetId }) => <AnnotationProblemsPage datasetId={datasetId} />}
      </Route>
      <Route path="/dataset/:datasetId/data">{({ datasetId }) => <DataPage datasetId={datasetId} />}</Route>
      <Route path="/dataset/:datasetId/duplicates">{({ datasetId }) => <DuplicatesPage datasetId={datasetId} />}</Route>
      <Route path="/dataset/:datasetId/enrich">{({ datasetId }) => <EnrichPage datasetId={datasetId} />}</Route>
      <Route path="/dataset/:datasetId/views">{({ datasetId }) => <ViewsPage datasetId={datasetId} />}</Route>
      <Route path="/dataset/:datasetId/cluster/:clusterId">
        {({ datasetId, clusterId }) =>
          isId(clusterId) ? <ClusterPage key={clusterId} datasetId={datasetId} clusterId={clusterId} /> : <NotFound />
        }
      </Route>
      <Route path="/dataset/:datasetId/item/:imageId">
        {({ datasetId, imageId }) =>
          isId(imageId) ? <ItemPage datasetId={datasetId} imageId={imageId} /> : <NotFound />
        }
      </Route>
      <Route path="/dataset/:datasetId/compare/:imageIds">
        {({ datasetId, imageIds }) => {
          const ids = imageIds.split(',').slice(0, MAX_COMPARED);
          return ids.every(isId) ? <ComparePage datasetId={datasetId} imageIds={ids} /> : <NotFound />;
        }}
      </Route>
      <Route component={NotFound} />
    </Switch>
  );
}

/** Shows a page of a dataset, or why the dataset is no longer available. */
function DatasetGate({ datasetId, children }: { datasetId: string; children: ReactNode }) {
  const { data: dataset, error } = useDataset(datasetId);
  const isShared = useIsShared();
  const isDeleted = useDeletedDatasets(({ ids }) => ids.has(datasetId));
  if (!isId(datasetId)) return <NotFound />;
  if (error?.code !== 'not_found') return children;
  if (dataset === undefined) return <NotFound />;
  return isDeleted || !isShared ? <Gone why="deleted" icon={Trash2} /> : <Gone why="withdrawn" icon={UserX} />;
}

/** Shows a page only to users who may call its operations. Others get the not-found page. */
function Gate({ operation, children }: { operation: CallableOperationId; children: ReactNode }) {
  return useMay()(operation) ? children : <NotFound />;
}

/** Redirects the addresses of the sign-in pages to the inventory. */
function Home() {
  return <Redirect to={routes.inventory()} replace />;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isId(text: string): boolean {
  return UUID.test(text);
}

function NotFound() {
  const { t } = useTranslation();
  return <NothingHere testId="not-found" icon={Compass} title={t('error.notFoundTitle')} text={t('error.notFound')} />;
}

/** Replaces a dataset that was deleted or withdrawn while the user was viewing it. */
function Gone({ why, icon }: { why: 'deleted' | 'withdrawn'; icon: LucideIcon }) {
  const { t } = useTranslation();
  return (
    <NothingHere
      testId={`dataset-${why}`}
      icon={icon}
      title={t(`error.gone.${why}Title`)}
      text={t(`error.gone.${why}`)}
    />
  );
}

function NothingHere(props: { testId: string; icon: LucideIcon; title: string; text: string }) {
  const { t } = useTranslation();
  const { testId, icon: Icon, title, text } = props;
  return (
    <Page bar={<Bar title={title} back={routes.inventory()} />}>
      <StateMessage
        testId={testId}
        icon={<Icon size={24} strokeWidth={1.5} />}
        title={title}
        text={text}
        actions={<Button onClick={() => navigate(routes.inventory())}>{t('error.toDatasets')}</Button>}
      />
    </Page>
  );
}
