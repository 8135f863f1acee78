import type { Result } from '../../src-main/contract/contract.ts';
import { FEATURE_FLAGS } from '../../src-main/contract/permissions.ts';
import type { Account } from '../../src-main/contract/schemas/account.ts';
import type { MetadataField } from '../../src-main/contract/schemas/custom-metadata.ts';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { DuplicateGroup } from '../../src-main/contract/schemas/duplicates.ts';
import type { Edit } from '../../src-main/contract/schemas/edit.ts';
import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import type { Facets } from '../../src-main/contract/schemas/facets.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import type { Snapshot } from '../../src-main/contract/schemas/snapshot.ts';

/** Id of the n-th fixture: a UUID that ends in a number. */
export function idOf(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

export const DATASET_ID = idOf(999_999);
const TIME = '2026-11-01T10:00:00.000Z';

export function accountOf(changes: Partial<Account> = {}): Account {
  return {
    user_id: idOf(1),
    username: 'owner',
    email: 'owner@localhost',
    name: 'Owner',
    role: 'admin',
    workspace_id: idOf(2),
    in_primary_workspace: true,
    realm_roles: [],
    may_create_datasets: true,
    must_change_password: false,
    has_password: false,
    is_local_owner: true,
    authentication: false,
    user_management: false,
    on_prem: true,
    single_workspace: true,
    oidc: null,
    api_url: 'http://127.0.0.1:2080/api/v1',
    features: Object.fromEntries(FEATURE_FLAGS.map((flag) => [flag, true])) as Account['features'],
    ...changes,
  };
}

export function datasetOf(changes: Partial<Dataset> = {}): Dataset {
  return {
    id: DATASET_ID,
    display_name: 'Street scenes',
    description: '',
    source_type: 'FOLDER',
    owned_by: 'ME',
    created_by: 'owner@localhost',
    my_role: 'owner',
    created_at: TIME,
    updated_at: TIME,
    status_new: 'READY',
    status: 'READY',
    progress: 100,
    n_images: 500,
    n_videos: 0,
    n_objects: 0,
    n_file_errors: 0,
    n_frames: null,
    disk_bytes: null,
    fatal_error_msg: null,
    failure: null,
    stopped: false,
    source_dataset_id: null,
    source_uri: '/pictures',
    preview_uri: null,
    preview_uris: [],
    filename: '',
    sample: false,
    ...changes,
  };
}

export function statsOf(changes: Partial<Result<'get_dataset_stats'>> = {}): Result<'get_dataset_stats'> {
  return {
    dataset_id: DATASET_ID,
    n_images: 500,
    n_videos: 0,
    n_objects: 0,
    n_frames: 0,
    n_file_errors: 0,
    n_excluded: 0,
    n_missing: 0,
    n_ungrouped: 0,
    n_labels: 0,
    n_captions: 0,
    n_annotation_problems: 0,
    issues: [],
    ...changes,
  };
}

/** Returns the n-th image of a dataset. */
export function previewOf(n: number, changes: Partial<Preview> = {}): Preview {
  return {
    type: 'IMAGE',
    media_id: idOf(n),
    image_id: idOf(n),
    media_uri: `/media/${n}`,
    image_uri: `/media/${n}`,
    original_uri: `/original/${n}`,
    media_thumb_uri: `/thumb/${n}`,
    video_uri: null,
    video_name: null,
    frame_timestamp: null,
    caption: null,
    file_name: `image-${n}.jpg`,
    bounding_box: null,
    relevance_score: null,
    relevance_score_type: 'cosine_distance',
    width: 640,
    height: 480,
    labels: null,
    user_tags: null,
    confidence: null,
    ...changes,
  };
}

export function facetsOf(changes: Partial<Facets> = {}): Facets {
  return {
    total: 500,
    labels: [],
    n_unlabeled: 0,
    labels_have_confidence: false,
    tags: [],
    n_untagged: 0,
    issues: [],
    folders: [],
    media_types: [],
    widths: [],
    heights: [],
    created: [],
    taken: [],
    metadata: [],
    ...changes,
  };
}

export function editOf(changes: Partial<Edit> = {}): Edit {
  return {
    edit_id: 7,
    kind: 'EXCLUSION',
    added: [],
    removed: [],
    n_changed: 1,
    created_by: 'owner@localhost',
    created_at: TIME,
    ...changes,
  };
}

/** Returns a group of copies of one image. The first copy is the one to keep. */
export function groupOf(
  clusterId: string,
  items: readonly number[],
  changes: Partial<DuplicateGroup> = {},
): DuplicateGroup {
  return {
    cluster_id: clusterId,
    n_items: items.length,
    items: items.map((n) => ({
      ...previewOf(n),
      confidence: 0.98,
      file_path: `/pictures/image-${n}.jpg`,
      format: 'jpeg',
      size_bytes: 1000 * n,
    })),
    keep_media_id: idOf(items[0] ?? 0),
    keep_reason: 'resolution',
    ...changes,
  };
}

export function snapshotOf(n: number, changes: Partial<Snapshot> = {}): Snapshot {
  return {
    snapshot_id: idOf(n),
    snapshot_name: `Snapshot ${n}`,
    source_dataset_name: 'Street scenes',
    created_at: TIME,
    created_by: 'owner@localhost',
    n_images: 500,
    n_videos: 0,
    n_objects: 0,
    description: '',
    reason: 'manual',
    training_model_id: null,
    training_model_name: null,
    is_current: false,
    is_restoring: false,
    ...changes,
  };
}

export function imageOf(n: number, changes: Partial<Image> = {}): Image {
  return {
    image_id: idOf(n),
    media_id: idOf(n),
    dataset_id: DATASET_ID,
    media_type: 'image',
    file_name: `image-${n}.jpg`,
    file_path: `image-${n}.jpg`,
    file_size: '48.27KB',
    size_bytes: 48_270,
    format: 'jpeg',
    width: 640,
    height: 480,
    pages: 1,
    created_at: TIME,
    modified_at: TIME,
    content_hash: 'ab'.repeat(32),
    uniqueness_score: 0.5,
    image_uri: `/media/${n}`,
    media_uri: `/media/${n}`,
    media_thumb_uri: `/thumb/${n}`,
    original_uri: `/original/${n}`,
    quality: {},
    issues: [],
    exif: null,
    video: null,
    labels: [],
    label_details: [],
    user_tags: [],
    excluded: false,
    captions: [],
    caption_details: [],
    objects: [],
    cluster_ids: [],
    ...changes,
  };
}

/** A custom field without values. */
export function fieldOf(
  change: Pick<MetadataField, 'field_name' | 'field_type'> & Partial<MetadataField>,
): MetadataField {
  return {
    ...{ task_id: idOf(900), status: 'COMPLETED', progress: 100, inserted_rows: 0, error_count: 0, sample_errors: [] },
    ...{ enum_options: [], is_multi: false, created_at: '2026-11-01T10:00:00.000Z' },
    ...change,
  };
}
