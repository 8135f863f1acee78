import type { EventAudience } from './access/event-audience.ts';
import type { PresenceService } from './access/presence.service.ts';
import type { SharingService } from './access/sharing.service.ts';
import type { AuditService } from './accounts/audit.service.ts';
import type { CredentialService } from './accounts/credential.service.ts';
import type { LoginService } from './accounts/login.service.ts';
import type { OidcService } from './accounts/oidc.service.ts';
import type { PasskeyService } from './accounts/passkey.service.ts';
import type { SecondFactorService } from './accounts/second-factor.service.ts';
import type { SetupService } from './accounts/setup.service.ts';
import type { UserService } from './accounts/user.service.ts';
import type { WorkspaceService } from './accounts/workspace.service.ts';
import type { DatasetService } from './datasets/dataset.service.ts';
import type { DatasetReportService } from './datasets/dataset-report.service.ts';
import type { DuplicatesService } from './duplicates/duplicates.service.ts';
import type { EditingService } from './editing/editing.service.ts';
import type { EncoderChoiceService } from './enrichment/encoder-choice.service.ts';
import type { EnrichmentService } from './enrichment/enrichment.service.ts';
import type { MeaningService } from './enrichment/meaning.service.ts';
import type { RecommendationService } from './enrichment/recommendation.service.ts';
import type { EventBus } from './events.ts';
import type { ChartService } from './explore/chart.service.ts';
import type { ExploreService } from './explore/explore.service.ts';
import type { MapService } from './explore/map.service.ts';
import type { QueryImageService } from './explore/query-image.service.ts';
import type { BareExportService } from './exports/bare-export.service.ts';
import type { ExportService } from './exports/export.service.ts';
import type { VectorPlacementService } from './indexing/vector-placement.service.ts';
import type { AddMediaService } from './ingestion/add-media.service.ts';
import type { IngestionService } from './ingestion/ingestion.service.ts';
import type { Handlers } from './invoke.ts';
import type { MediaService } from './media/media.service.ts';
import type { MetadataService } from './metadata/metadata.service.ts';
import type { ModelService } from './models/model.service.ts';
import type { ModelLabelsService } from './models/model-labels.service.ts';
import type { ModelSettingsService } from './models/model-settings.service.ts';
import type { NotificationService } from './notifications/notification.service.ts';
import type { ProjectionService } from './projection/projection.service.ts';
import type { BackupService } from './recovery/backup.service.ts';
import type { CheckService } from './recovery/check.service.ts';
import type { RecoveryService } from './recovery/recovery.service.ts';
import type { ReviewService } from './review/review.service.ts';
import type { SettingsAdminService } from './settings/settings-admin.service.ts';
import type { SnapshotService } from './snapshots/snapshot.service.ts';
import type { TaskService } from './tasks/task.service.ts';
import type { ViewService } from './views/view.service.ts';
import type { SourceService } from './watching/source.service.ts';
import type { WatchingService } from './watching/watching.service.ts';

export interface Services {
  logins: LoginService;
  setup: SetupService;
  oidc: OidcService;
  passkeys: PasskeyService;
  secondFactors: SecondFactorService;
  credentials: CredentialService;
  datasets: DatasetService;
  datasetReports: DatasetReportService;
  ingestion: IngestionService;
  addMedia: AddMediaService;
  explore: ExploreService;
  queryImages: QueryImageService;
  editing: EditingService;
  reviews: ReviewService;
  metadata: MetadataService;
  sharing: SharingService;
  presence: PresenceService;
  snapshots: SnapshotService;
  duplicates: DuplicatesService;
  charts: ChartService;
  map: MapService;
  projections: ProjectionService;
  vectorPlacement: VectorPlacementService;
  exports: ExportService;
  bareExports: BareExportService;
  media: MediaService;
  views: ViewService;
  notifications: NotificationService;
  events: EventBus;
  audience: EventAudience;
  tasks: TaskService;
  watching: WatchingService;
  sources: SourceService;
  enrichment: EnrichmentService;
  meaning: MeaningService;
  encoders: EncoderChoiceService;
  recommendation: RecommendationService;
  models: ModelService;
  modelSettings: ModelSettingsService;
  modelLabels: ModelLabelsService;
  settings: SettingsAdminService;
  audit: AuditService;
  recovery: RecoveryService;
  checks: CheckService;
  backups: BackupService;
  users: UserService;
  workspaces: WorkspaceService;
  version: string;
}

/** Maps each operation to the service that handles it. */
export function createHandlers({
  logins,
  setup,
  oidc,
  passkeys,
  secondFactors,
  credentials,
  datasets,
  datasetReports,
  ingestion,
  addMedia,
  explore,
  queryImages,
  editing,
  reviews,
  metadata,
  sharing,
  presence,
  snapshots,
  duplicates,
  charts,
  map,
  projections,
  vectorPlacement,
  exports,
  bareExports,
  media,
  views,
  notifications,
  events,
  audience,
  tasks,
  watching,
  sources,
  enrichment,
  meaning,
  encoders,
  recommendation,
  models,
  modelSettings,
  modelLabels,
  settings,
  audit,
  recovery,
  checks,
  backups,
  users,
  workspaces,
  version,
}: Services): Handlers {
  return {
    healthcheck: () => ({ status: 'Green', 'service-health-message': 'Vitrine answers', version }),
    stream_events: ({ principal, signal }) =>
      events.follow((event) => audience.includes(principal, event), events.untilAccessChanges(principal, signal)),

    create_api_credentials: (context, input) => credentials.create(context, input),
    list_api_credentials: (context) => credentials.list(context),
    revoke_api_credentials: (context, input) => credentials.revoke(context, input),
    login: (context, input) => logins.login(context, input),
    setup_first_admin: (context, input) => setup.create(context, input),
    begin_oidc_login: (context, input) => oidc.begin(context, input),
    finish_oidc_login: (context, input) => oidc.finish(context, input),
    logout: (context) => logins.logout(context),
    get_login_options: () => logins.options(),
    get_account: (context) => logins.getAccount(context),
    change_password: (context, input) => logins.changePassword(context, input),
    begin_passkey_login: (context) => passkeys.beginLogin(context),
    login_with_passkey: (context, input) => passkeys.login(context, input),
    get_second_factor: (context) => secondFactors.get(context),
    start_second_factor: (context, input) => secondFactors.start(context, input),
    confirm_second_factor: (context, input) => secondFactors.confirm(context, input),
    remove_second_factor: (context, input) => secondFactors.remove(context, input),
    list_passkeys: (context) => passkeys.list(context),
    begin_passkey: (context, input) => passkeys.beginAdding(context, input),
    add_passkey: (context, input) => passkeys.add(context, input),
    remove_passkey: (context, input) => passkeys.remove(context, input),
    list_account_sessions: (context) => logins.listSessions(context),
    end_account_session: (context, input) => logins.endSession(context, input),
    logout_everywhere: (context) => logins.logoutEverywhere(context),

    create_dataset: (context, input) => ingestion.createDataset(context, input),
    list_datasets: (context) => datasets.list(context),
    get_dataset: (context) => datasets.get(context),
    get_creation_status: (context) => datasets.getCreationStatus(context),
    update_dataset: (context, input) => datasets.update(context, input),
    delete_dataset: (context) => datasets.delete(context),
    get_dataset_stats: (context) => datasetReports.getStats(context),
    list_file_errors: (context, input) => datasetReports.listFileErrors(context, input),
    list_annotation_problems: (context, input) => datasetReports.listAnnotationProblems(context, input),
    list_sample_datasets: () => [],

    create_sample_dataset: (context, input) => ingestion.createSample(context, input),
    new_dataset: (context, input) => ingestion.newDataset(context, input),
    open_transaction: (context) => ingestion.openTransaction(context),
    upload_files: (context, input) => ingestion.uploadFiles(context, input),
    process_files: (context, input) => ingestion.processFiles(context, input),
    process_path: (context, input) => ingestion.processPath(context, input),
    preview_folder: (context, input) => ingestion.previewFolder(context, input),
    preview_upload: (context, input) => ingestion.previewUpload(context, input),
    list_folder: (context, input) => ingestion.listFolder(context, input),

    add_media: (context, input) => addMedia.addMedia(context, input),
    process_add_media: (context, input) => addMedia.processAddMedia(context, input),
    reindex: (context) => addMedia.reindex(context),
    upload_archive: (context, input) => ingestion.uploadArchive(context, input),
    list_batches: (context) => addMedia.listBatches(context),

    explore: (context, input) => explore.explore(context, input),
    find_similar: (context, input) => explore.findSimilar(context, input),
    get_user_config: (context) => explore.getUserConfig(context),
    get_exploration_metadata: (context, input) => explore.getMetadata(context, input),
    list_items: (context, input) => explore.listItems(context, input),
    list_arrivals: (context, input) => explore.listArrivals(context, input),
    get_facets: (context, input) => explore.getFacets(context, input),
    get_levels: (context, input) => explore.getLevels(context, input),
    get_cluster: (context, input) => explore.getCluster(context, input),
    get_image: (context, input) => explore.getImage(context, input),
    get_dataset_image: (context, input) => explore.getImage(context, input),

    search_image_similarity: (context, input) => queryImages.upload(context, input),
    search_region: (context, input) => queryImages.ofRegion(context, input),
    get_query_image: (context, input) => queryImages.get(context, input),

    export_dataset_async: (context, input) => exports.exportDataset(context, input),
    export_entities_async: (context, input) => exports.exportEntities(context, input),
    get_export_status: (context, input) => exports.getStatus(context, input),
    list_exports: (context) => exports.list(context),
    get_export_file: (context, input) => exports.download(context, input),
    export_dataset: (context) => bareExports.exportDataset(context),
    export_media_ids: (context) => bareExports.exportMediaIds(context),

    list_duplicates: (context, input) => explore.listDuplicates(context, input),
    find_duplicates: (context) => duplicates.find(context),
    get_map: (context, input) => map.getMap(context, input),
    list_map_items: (context, input) => map.listItems(context, input),
    lay_out_map: (context) => projections.layOut(context),
    get_vector_placement: (context) => vectorPlacement.get(context),
    place_vectors: (context, input) => vectorPlacement.place(context, input),
    list_tags: (context) => editing.listTags(context),
    create_tag: (context, input) => editing.createTag(context, input),
    rename_tag: (context, input) => editing.renameTag(context, input),
    delete_tag: (context, input) => editing.deleteTag(context, input),
    edit_tags: (context, input) => editing.editTags(context, input),
    edit_labels: (context, input) => editing.editLabels(context, input),
    exclude: (context, input) => editing.exclude(context, input),
    include: (context, input) => editing.include(context, input),
    name_cluster: (context, input) => editing.nameCluster(context, input),
    list_edits: (context) => editing.listEdits(context),
    undo_edit: (context, input) => editing.undoEdit(context, input),

    get_scatter: (context, input) => charts.scatter(context, input),
    get_label_groups: (context, input) => charts.labelGroups(context, input),
    get_agreement: (context, input) => charts.agreement(context, input),
    list_review_entries: (context, input) => reviews.listEntries(context, input),
    decide_review: (context, input) => reviews.decide(context, input),
    apply_review: (context, input) => reviews.apply(context, input),

    declare_custom_metadata: (context, input) => metadata.declare(context, input),
    upload_custom_metadata: (context, input) => metadata.upload(context, input),
    add_exif_metadata: (context, input) => metadata.addExif(context, input),
    get_custom_metadata_status: (context, input) => metadata.getStatus(context, input),
    get_custom_metadata_schema: (context) => metadata.getSchema(context),
    get_image_custom_metadata: (context, input) => metadata.listValues(context, input),

    invite: (context, input) => sharing.invite(context, input),
    list_shares: (context) => sharing.list(context),
    note_presence: (context, input) => presence.note(context, input),
    revoke_share: (context, input) => sharing.revoke(context, input),

    list_snapshots: (context) => snapshots.list(context),
    create_snapshot: (context, input) => snapshots.create(context, input),
    update_snapshot: (context, input) => snapshots.update(context, input),
    restore_snapshot: (context, input) => snapshots.restore(context, input),
    clone_snapshot: (context, input) => snapshots.clone(context, input),
    delete_snapshot: (context, input) => snapshots.delete(context, input),
    list_snapshot_changes: (context, input) => snapshots.listChanges(context, input),

    get_media_file: (context, input) => media.original(context, input),
    get_thumbnail: (context, input) => media.thumbnail(context, input),
    get_cover_sheet: (context, input) => media.coverSheet(context, input),

    create_view: (context, input) => views.create(context, input),
    list_views: (context) => views.list(context),
    delete_view: (context, input) => views.delete(context, input),
    get_view_trend: (context, input) => views.getTrend(context, input),
    set_view_alerting: (context, input) => views.setAlerting(context, input),
    set_view_monitoring: (context, input) => views.setMonitoring(context, input),
    set_view_query: (context, input) => views.setQuery(context, input),
    share_view: (context, input) => views.share(context, input),

    list_notifications: (context, input) => notifications.list(context, input),
    count_unread_notifications: (context, input) => notifications.countUnread(context, input),
    read_notification: (context, input) => notifications.read(context, input),
    read_all_notifications: (context, input) => notifications.readAll(context, input),
    stream_notifications: (context, input) => notifications.stream(context, input),

    list_tasks: (context, input) => tasks.list(context, input),
    list_task_filters: (context, input) => tasks.listFilters(context, input),
    abort_task: (context) => tasks.abort(context),
    retry_task: (context) => tasks.retry(context),

    list_users: (context, input) => users.list(context, input),
    get_user: (context, input) => users.get(context, input),
    create_user: (context, input) => users.create(context, input),
    update_user: (context, input) => users.update(context, input),
    delete_user: (context, input) => users.delete(context, input),
    reset_user_password: (context, input) => users.resetPassword(context, input),
    remove_user_second_factor: (context, input) => users.removeSecondFactor(context, input),
    logout_user: (context, input) => users.logout(context, input),
    list_user_sessions: (context, input) => users.listSessions(context, input),
    set_user_roles: (context, input) => users.setRoles(context, input),

    list_workspaces: (context, input) => workspaces.list(context, input),
    get_workspace: (context) => workspaces.get(context),
    create_workspace: (context, input) => workspaces.create(context, input),
    list_members: (context) => workspaces.listMembers(context),
    add_member: (context, input) => workspaces.addMember(context, input),
    set_member_role: (context, input) => workspaces.setRole(context, input),
    remove_member: (context, input) => workspaces.removeMember(context, input),
    get_settings_access: (context, input) => workspaces.getAccess(context, input),
    list_organizations: (context) => workspaces.listOrganizations(context),
    get_organization: (context, input) => workspaces.getOrganization(context, input),

    list_watched_folders: (context) => watching.list(context),
    add_watched_folder: (context, input) => watching.add(context, input),
    update_watched_folder: (context, input) => watching.update(context, input),
    rescan_watched_folder: (context, input) => watching.rescan(context, input),
    remove_watched_folder: (context, input) => watching.remove(context, input),
    list_sources: (context) => sources.list(context),
    move_source: (context, input) => sources.move(context, input),

    get_recovery: (context) => recovery.getRecovery(context),
    check_data: (context) => checks.start(context),
    get_check: (context) => checks.getLatest(context),
    acknowledge_recovery: (context) => recovery.acknowledge(context),
    start_backup: (context, input) => backups.start(context, input),
    list_backups: (context, input) => backups.list(context, input),
    restore_dataset: (context, input) => backups.restoreDataset(context, input),

    get_setting: (context, input) => settings.getSetting(context, input),
    set_setting: (context, input) => settings.setSetting(context, input),
    list_settings: (context) => settings.list(context),
    change_setting: (context, input) => settings.change(context, input),
    reset_setting: (context, input) => settings.reset(context, input),

    list_audit_entries: (context, input) => audit.list(context, input),

    list_packages: (context) => models.listPackages(context),
    list_devices: (context) => models.listDevices(context),
    get_model_settings: (context) => modelSettings.get(context),
    update_model_settings: (context, input) => modelSettings.update(context, input),
    import_models: (context, input) => models.importModels(context, input),
    download_package: (context, input) => models.downloadPackage(context, input),
    cancel_download: (context, input) => models.cancelDownload(context, input),
    remove_package: (context, input) => models.removePackage(context, input),
    get_model_labels: (context, input) => modelLabels.get(context, input),
    set_model_labels: (context, input) => modelLabels.set(context, input),

    list_models: (context) => enrichment.listModels(context),
    get_enrichment_context: (context) => enrichment.getContext(context),
    get_enrichment_status: (context, input) => enrichment.getStatus(context, input),
    list_enrichment_failures: (context, input) => enrichment.listFailures(context, input),
    preview_enrichment: (context, input) => enrichment.previewModels(context, input),
    get_recommendation: (context) => recommendation.get(context),
    answer_recommendation: (context, input) => recommendation.answer(context, input),
    list_encoders: (context) => encoders.list(context),
    add_meaning: (context, input) => meaning.addMeaning(context, input),
    enrich_dataset: (context, input) => enrichment.enrichDataset(context, input),
  };
}
