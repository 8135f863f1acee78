import type { Input, Output } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Edit, Tag } from '../../contract/schemas/edit.ts';
import type { MediaSelection } from '../../contract/schemas/media-selection.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EventBus } from '../events.ts';
import type { SelectionService } from '../explore/selection.service.ts';
import type { SomeHandlers } from '../handlers.ts';
import type {
  CountedTag,
  EditableCluster,
  EditRow,
  NewClusterEdit,
  NewEdit,
  RowChange,
  SelectedRows,
} from '../ports/edits.ts';
import { type Condition, EXCLUDED } from '../ports/query.ts';
import type { TaskService } from '../tasks/task.service.ts';

interface Parts {
  datasets: DatasetCatalog;
  selections: SelectionService;
  tasks: TaskService;
  events: EventBus;
}

interface BulkEdit {
  media_selection: MediaSelection;
  add: string[];
  remove: string[];
  confirm?: string[];
}

/** Edits items and objects (tags, labels, captions, values, exclusion) and clusters (names, hidden and merged ones), and undoes edits. */
export class EditingService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    list_tags: (context) => this.listTags(context),
    create_tag: (context, input) => this.createTag(context, input),
    rename_tag: (context, input) => this.renameTag(context, input),
    delete_tag: (context, input) => this.deleteTag(context, input),
    edit_tags: (context, input) => this.editTags(context, input),
    edit_labels: (context, input) => this.editLabels(context, input),
    edit_caption: (context, input) => this.editCaption(context, input),
    edit_custom_metadata: (context, input) => this.editCustomMetadata(context, input),
    exclude: (context, input) => this.exclude(context, input),
    include: (context, input) => this.include(context, input),
    name_cluster: (context, input) => this.nameCluster(context, input),
    edit_clusters: (context, input) => this.editClusters(context, input),
    list_edits: (context, input) => this.listEdits(context, input),
    undo_edit: (context, input) => this.undoEdit(context, input),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async listTags({ dataset }: DatasetContext): Promise<Tag[]> {
    return (await this.#parts.datasets.storeOf(dataset).edits.listTags()).map(presentTag);
  }

  async createTag(context: DatasetContext, { name }: { name: string }): Promise<Tag> {
    const tag = await this.#edits(context).addTag(name);
    this.#changed(context);
    return presentTag({ ...tag, n_images: 0, n_objects: 0 });
  }

  async renameTag(context: DatasetContext, input: { tag_id: string; name: string }): Promise<Tag> {
    await this.#edits(context).renameTag(input.tag_id, input.name);
    this.#changed(context);
    const tags = await this.listTags(context);
    const renamed = tags.find(({ tag_id }) => tag_id === input.tag_id);
    if (!renamed) throw new AppError('not_found', message('tag_not_found'));
    return renamed;
  }

  async deleteTag(context: DatasetContext, input: { tag_id: string }): Promise<Edit> {
    const edit = await this.#edits(context).deleteTag(input.tag_id, context.principal.email);
    this.#changed(context);
    return presentEdit(edit);
  }

  /** @throws AppError `not_found` for an unknown tag. */
  async tagNames(context: DatasetContext, tagIds: readonly string[]): Promise<string[]> {
    if (tagIds.length === 0) return [];
    const names = new Map((await this.listTags(context)).map(({ tag_id, name }) => [tag_id, name]));
    return tagIds.map((tagId) => {
      const name = names.get(tagId);
      if (name === undefined) throw new AppError('not_found', message('tag_not_found'));
      return name;
    });
  }

  async editTags(context: DatasetContext, input: BulkEdit): Promise<Edit> {
    const { add, remove } = assertDisjoint(input);
    const details = { added: await this.tagNames(context, add), removed: await this.tagNames(context, remove) };
    const rows = await this.select(context, input.media_selection);
    const change = (holds: boolean) => (tagId: string) => ({ kind: 'tag' as const, tag_id: tagId, holds, rows });
    return this.apply(context, 'TAGS', details, [...add.map(change(true)), ...remove.map(change(false))]);
  }

  /**
   * Adds a label only to rows without it, and removes or confirms it only on rows with it. Labels set by users stay valid when annotation
   * files or models change later.
   */
  async editLabels(context: DatasetContext, input: BulkEdit): Promise<Edit> {
    const { add, remove, confirm } = assertDisjoint(input);
    const change = async (label: string, op: 'one_of' | 'not_one_of', holds: boolean): Promise<RowChange> => {
      const condition: Condition = { name: 'labels', op, value: [label] };
      return { kind: 'label', label, holds, rows: await this.select(context, input.media_selection, [condition]) };
    };
    const changes: RowChange[] = [];
    for (const label of add) changes.push(await change(label, 'not_one_of', true));
    for (const label of confirm) changes.push(await change(label, 'one_of', true));
    for (const label of remove) changes.push(await change(label, 'one_of', false));
    return this.apply(context, 'LABELS', { added: [...add, ...confirm], removed: remove }, changes);
  }

  async editCaption(context: DatasetContext, input: Input<'edit_caption'>): Promise<Edit> {
    const caption = input.caption === '' ? null : input.caption;
    const details = { added: caption === null ? [] : [caption], removed: [] };
    const rows = await this.select(context, input.media_selection);
    return this.apply(context, 'CAPTION', details, [{ kind: 'caption', caption, rows }]);
  }

  async editCustomMetadata(context: DatasetContext, input: Input<'edit_custom_metadata'>): Promise<Edit> {
    const { field_name, value } = input;
    const words = value === null ? [] : [[value].flat().join(', ')];
    const rows = await this.select(context, input.media_selection);
    const change: RowChange = { kind: 'field', field_name, value, rows };
    return this.apply(context, 'CUSTOM_METADATA', { added: [field_name, ...words], removed: [] }, [change]);
  }

  async exclude(context: DatasetContext, input: { media_selection: MediaSelection }): Promise<Edit> {
    const rows = await this.select(context, input.media_selection);
    return this.apply(context, 'EXCLUSION', { added: [], removed: [] }, [{ kind: 'excluded', holds: true, rows }]);
  }

  async include(context: DatasetContext, input: { media_selection: MediaSelection }): Promise<Edit> {
    const rows = await this.select(context, input.media_selection, [EXCLUDED]);
    return this.apply(context, 'INCLUSION', { added: [], removed: [] }, [{ kind: 'excluded', holds: false, rows }]);
  }

  async nameCluster(context: DatasetContext, input: Input<'name_cluster'>): Promise<Output<'name_cluster'>> {
    const { cluster_id } = input;
    const name = input.name === '' ? null : input.name;
    const { entity_type, level, members, edits, ...cluster } = await this.#cluster(context, cluster_id);
    const named = name === null ? [] : [{ kind: 'name' as const, entity_type, level, name, parts: [members] }];
    const details = { added: name === null ? [] : [name], removed: cluster.name === null ? [] : [cluster.name] };
    if (name !== cluster.name) {
      await this.#applyToClusters(context, 'CLUSTER_NAME', details, { added: named, ended: edits.name });
    }
    return { cluster_id, name };
  }

  /** @throws AppError `invalid_request` for a merge of fewer than two clusters, or of clusters of several levels. */
  async editClusters(context: DatasetContext, { action, cluster_ids }: Input<'edit_clusters'>): Promise<Edit> {
    const clusters: EditableCluster[] = [];
    for (const clusterId of new Set(cluster_ids)) clusters.push(await this.#cluster(context, clusterId));
    const details = { added: [], removed: [] };
    const edit = (kind: EditRow['kind'], change: { added?: NewClusterEdit[]; ended?: number[] }) =>
      this.#applyToClusters(context, kind, details, { added: [], ended: [], ...change });
    if (action === 'show') return edit('CLUSTERS_SHOWN', { ended: clusters.flatMap(({ edits }) => edits.hidden) });
    if (action === 'split') return edit('CLUSTERS_SPLIT', { ended: clusters.flatMap(({ edits }) => edits.merged) });
    const edited = (
      kind: 'hidden' | 'merged',
      of: Pick<EditableCluster, 'entity_type' | 'level'>,
      parts: Int32Array[],
    ) => ({
      ...{ kind, entity_type: of.entity_type, level: of.level, name: '', parts },
    });
    if (action === 'hide') {
      const shown = clusters.filter(({ edits }) => edits.hidden.length === 0);
      return edit('CLUSTERS_HIDDEN', { added: shown.map((one) => edited('hidden', one, [one.members])) });
    }
    const [first, ...others] = clusters;
    const isOther = (one: EditableCluster) => one.entity_type !== first?.entity_type || one.level !== first.level;
    if (!first || others.length === 0 || others.some(isOther)) {
      throw new AppError('invalid_request', message('clusters_not_mergeable'));
    }
    return edit('CLUSTERS_MERGED', {
      added: [
        edited(
          'merged',
          first,
          clusters.map(({ members }) => members),
        ),
      ],
    });
  }

  async listEdits({ dataset }: DatasetContext, { media_id }: Pick<Input<'list_edits'>, 'media_id'>): Promise<Edit[]> {
    const found = await this.#parts.datasets.storeOf(dataset).edits.list(media_id);
    if (!found) throw new AppError('not_found', message('image_not_found'));
    return found.map(presentEdit);
  }

  async undoEdit(context: DatasetContext, input: { edit_id?: number | undefined }): Promise<Edit> {
    const edit = await this.#edits(context).undo(input.edit_id);
    await this.#settle(context, edit.kind);
    return presentEdit(edit);
  }

  /** Returns the rows of a selection that meet all conditions. */
  async select(
    context: DatasetContext,
    selection: MediaSelection,
    conditions: readonly Condition[] = [],
  ): Promise<SelectedRows> {
    const { datasets, selections } = this.#parts;
    const store = datasets.browsable(context.dataset);
    return store.explore.select(await selections.plan(context, store, selection), conditions);
  }

  /** Applies changes of rows as one edit. */
  async apply(
    context: DatasetContext,
    kind: NewEdit['kind'],
    details: NewEdit['details'],
    changes: RowChange[],
  ): Promise<Edit> {
    const createdBy = context.principal.email;
    const edit = await this.#edits(context).apply({ kind, details, created_by: createdBy, changes });
    if (!edit) return { edit_id: null, kind, ...details, n_changed: 0, created_by: createdBy, created_at: null };
    await this.#settle(context, kind);
    return presentEdit(edit);
  }

  async #applyToClusters(
    context: DatasetContext,
    kind: EditRow['kind'],
    details: EditRow['details'],
    change: { added: NewClusterEdit[]; ended: number[] },
  ): Promise<Edit> {
    const createdBy = context.principal.email;
    const edit = await this.#edits(context).editClusters({ kind, details, created_by: createdBy }, change);
    if (!edit) return { edit_id: null, kind, ...details, n_changed: 0, created_by: createdBy, created_at: null };
    this.#changed(context);
    return presentEdit(edit);
  }

  /** @throws AppError `not_found` for an unknown cluster, and for a group of duplicates. */
  async #cluster(context: DatasetContext, clusterId: string): Promise<EditableCluster> {
    const cluster = await this.#edits(context).findCluster(clusterId);
    if (!cluster) throw new AppError('not_found', message('cluster_not_found'));
    return cluster;
  }

  /** @throws AppError `conflict` while a task runs that would lose the edit. */
  #edits({ dataset }: DatasetContext) {
    const { datasets, tasks } = this.#parts;
    datasets.browsable(dataset);
    tasks.assertNotBlocked('edit', dataset.dataset_id);
    return datasets.storeOf(dataset).edits;
  }

  /** Updates the counts after an edit of exclusion, because excluded items are not counted, and announces the change. */
  async #settle(context: DatasetContext, kind: EditRow['kind']): Promise<void> {
    const { datasets } = this.#parts;
    if (kind === 'EXCLUSION' || kind === 'INCLUSION') {
      const counts = await datasets.storeOf(context.dataset).items.counts();
      datasets.saveCounts(context.dataset.dataset_id, counts, []);
    }
    this.#changed(context);
  }

  #changed({ dataset, principal }: DatasetContext): void {
    const { dataset_id } = dataset;
    this.#parts.events.emit('dataset_changed', { dataset_id, edited_by: principal.user_id });
  }
}

/** Checks an edit. @throws AppError `invalid_request` for an edit that is empty or contradicts itself. */
function assertDisjoint({ add, remove, confirm = [] }: BulkEdit): Record<'add' | 'remove' | 'confirm', string[]> {
  const decided = { add: [...new Set(add)], remove: [...new Set(remove)], confirm: [...new Set(confirm)] };
  const all = Object.values(decided).flat();
  if (all.length === 0) throw new AppError('invalid_request', message('edit_empty'));
  if (new Set(all).size < all.length) {
    throw new AppError('invalid_request', message('edit_contradicts'));
  }
  return decided;
}

function presentTag(tag: CountedTag): Tag {
  return { id: tag.tag_id, ...tag };
}

function presentEdit({ edit_id, kind, details, n_changed, created_by, created_at }: EditRow): Edit {
  const { added, removed } = details;
  return { edit_id, kind, added, removed, n_changed, created_by, created_at };
}
