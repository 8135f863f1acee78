import { useQueryClient } from '@tanstack/react-query';
import { Compass, type LucideIcon, Trash2, UserX } from 'lucide-react';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, Route, Switch } from 'wouter';
import type { CallableOperationId } from '../../src-main/contract/contract.ts';
import { Bar } from '../components/Bar.tsx';
import { Button } from '../components/Button.tsx';
import { DatasetBar } from '../components/DatasetBar.tsx';
import { Page } from '../components/Page.tsx';
import { PendingContent } from '../components/PendingContent.tsx';
import { StateMessage } from '../components/StateMessage.tsx';
import { InventoryPage } from '../features/inventory/InventoryPage.tsx';
import { useIsShared, useMay } from '../lib/account.ts';
import { useDataset } from '../lib/datasets.ts';
import { useDeletedDatasets } from '../lib/deleted-datasets.ts';
import { lazyPage, preloadPages } from '../lib/lazy-page.ts';
import { areThumbnailsLoading } from '../lib/load-thumbnail.ts';
import { navigate } from '../lib/location.ts';
import { isReviewKind, MAX_COMPARED, routes } from '../lib/routes.ts';
import { DatasetFrame } from './DatasetFrame.tsx';

const AccountPage = lazyPage(async () => (await import('../features/account/AccountPage.tsx')).AccountPage);
const AnnotationProblemsPage = lazyPage(
  async () => (await import('../features/annotation-problems/AnnotationProblemsPage.tsx')).AnnotationProblemsPage,
);
const ApiPage = lazyPage(async () => (await import('../features/api/ApiPage.tsx')).ApiPage);
const AuditPage = lazyPage(async () => (await import('../features/audit/AuditPage.tsx')).AuditPage);
const AssignedPage = lazyPage(async () => (await import('../features/teamwork/AssignedPage.tsx')).AssignedPage);
const ComparePage = lazyPage(async () => (await import('../features/compare/ComparePage.tsx')).ComparePage);
const DataPage = lazyPage(async () => (await import('../features/data/DataPage.tsx')).DataPage);
const DuplicatesPage = lazyPage(async () => (await import('../features/duplicates/DuplicatesPage.tsx')).DuplicatesPage);
const EnrichPage = lazyPage(async () => (await import('../features/enrich/EnrichPage.tsx')).EnrichPage);
const ExplorePage = lazyPage(
  async () => (await import('../features/explore/ExplorePage.tsx')).ExplorePage,
  /^\/dataset\/[^/?]+(\?|$)/,
);
const FileErrorsPage = lazyPage(
  async () => (await import('../features/file-errors/FileErrorsPage.tsx')).FileErrorsPage,
);
const ItemPage = lazyPage(async () => (await import('../features/item/ItemPage.tsx')).ItemPage);
const LogPage = lazyPage(async () => (await import('../features/log/LogPage.tsx')).LogPage);
const ModelsPage = lazyPage(async () => (await import('../features/models/ModelsPage.tsx')).ModelsPage);
const RecoveryPage = lazyPage(async () => (await import('../features/recovery/RecoveryPage.tsx')).RecoveryPage);
const ReviewPage = lazyPage(async () => (await import('../features/review/ReviewPage.tsx')).ReviewPage);
const ReviewQueues = lazyPage(async () => (await import('../features/review/ReviewQueues.tsx')).ReviewQueues);
const SettingsPage = lazyPage(async () => (await import('../features/settings/SettingsPage.tsx')).SettingsPage);
const TasksPage = lazyPage(async () => (await import('../features/tasks/TasksPage.tsx')).TasksPage);
const MembersPage = lazyPage(async () => (await import('../features/users/MembersPage.tsx')).MembersPage);
const UsersPage = lazyPage(async () => (await import('../features/users/UsersPage.tsx')).UsersPage);
const ViewsPage = lazyPage(async () => (await import('../features/views/ViewsPage.tsx')).ViewsPage);

/** Selects the screen for the current address. Each screen but the first is a chunk of its own. */
export function Screens() {
  const isShared = useIsShared();
  const client = useQueryClient();
  useEffect(() => {
    void preloadPages(() => client.isFetching() > 0 || areThumbnailsLoading());
  }, [client]);
  return (
    <Suspense fallback={<LoadingPage bar={<Bar title="" />} />}>
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
        <Route path="/assigned">{isShared ? <AssignedPage /> : <NotFound />}</Route>
        <Route path="/log">{window.vitrine === undefined ? <NotFound /> : <LogPage />}</Route>
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
    </Suspense>
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
      <Route path="/dataset/:datasetId/review">{({ datasetId }) => <ReviewQueues datasetId={datasetId} />}</Route>
      <Route path="/dataset/:datasetId/review/:kind">
        {({ datasetId, kind }) =>
          isReviewKind(kind) ? <ReviewPage key={kind} datasetId={datasetId} kind={kind} /> : <NotFound />
        }
      </Route>
      <Route path="/dataset/:datasetId/enrich">{({ datasetId }) => <EnrichPage datasetId={datasetId} />}</Route>
      <Route path="/dataset/:datasetId/views">{({ datasetId }) => <ViewsPage datasetId={datasetId} />}</Route>
      <Route path="/dataset/:datasetId/cluster/:clusterId">
        {({ datasetId, clusterId }) =>
          isId(clusterId) ? <ExplorePage key={clusterId} datasetId={datasetId} /> : <NotFound />
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
  if (error?.code !== 'not_found') {
    const bar = <DatasetBar datasetId={datasetId} dataset={dataset} place={undefined} />;
    return (
      <DatasetFrame datasetId={datasetId}>
        <Suspense fallback={<LoadingPage bar={bar} />}>{children}</Suspense>
      </DatasetFrame>
    );
  }
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

/** Shown until the code of a page has loaded: the same as pages show until their data arrive. */
function LoadingPage({ bar }: { bar: ReactNode }) {
  return (
    <Page bar={bar}>
      <PendingContent error={null} onRetry={() => undefined} />
    </Page>
  );
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
