import type { Input } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Assignment, Comment, Person } from '../../contract/schemas/teamwork.ts';
import { parseVql } from '../../contract/vql/parse-vql.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetRoles } from '../access/dataset-roles.ts';
import type { DatasetUsers } from '../access/dataset-users.ts';
import type { CallContext } from '../core.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { NotificationService } from '../notifications/notification.service.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { AssignmentListRow, CommentRow, TeamworkRepository } from './teamwork.repository.ts';

interface Parts {
  catalog: Catalog;
  datasets: DatasetCatalog;
  rows: TeamworkRepository;
  users: DatasetUsers;
  roles: DatasetRoles;
  notifications: Pick<NotificationService, 'add'>;
  events: EventBus;
  clock: Clock;
  ids: Ids;
}

/** What a notification of this service is about. `entity_id`: the item of a comment, or the assignment. */
interface Notice {
  entity_type: 'comment' | 'assignment';
  entity_id: string;
  title: string;
  message: string;
  media_ids: readonly string[];
}

/** `@` and an address. */
const MENTION = /@([^\s@,;]+@[^\s@,;]*[^\s@,;.!?)])/g;

/** Comments on items, and items that people assign to each other. */
export class TeamworkService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    list_people: (context) => this.listPeople(context),
    list_comments: (context, input) => this.listComments(context, input),
    add_comment: (context, input) => this.addComment(context, input),
    edit_comment: (context, input) => this.editComment(context, input),
    delete_comment: (context, input) => this.deleteComment(context, input),
    assign_items: (context, input) => this.assign(context, input),
    list_assignments: (context) => this.listAssignments(context),
    set_assignment_done: (context, input) => this.setDone(context, input),
    delete_assignment: (context, input) => this.deleteAssignment(context, input),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  listPeople({ dataset }: DatasetContext): Person[] {
    return this.#people(dataset).map(({ email, name, role }) => ({ email, name, role }));
  }

  listComments({ dataset, principal }: DatasetContext, { media_id }: { media_id?: string | undefined }): Comment[] {
    return this.#parts.rows
      .listComments(dataset.dataset_id, media_id)
      .map((row) => presentComment(row, principal.user_id));
  }

  /** @throws AppError `not_found` for an unknown item. */
  async addComment(context: DatasetContext, { media_id, text }: { media_id: string; text: string }): Promise<Comment> {
    const { catalog, datasets, rows, clock, ids } = this.#parts;
    const { dataset, principal } = context;
    const item = await datasets.storeOf(dataset).items.find(media_id);
    if (!item) throw new AppError('not_found', message('image_not_found'));
    const row: CommentRow = {
      comment_id: ids.uuid(),
      dataset_id: dataset.dataset_id,
      media_id,
      user_id: principal.user_id,
      author_email: principal.email,
      author_name: principal.name,
      text,
      created_at: clock.iso(),
      edited_at: null,
    };
    catalog.transaction(() => {
      rows.addComment(row);
      this.#notifyMentioned(context, row, text);
    });
    this.#announce(dataset.dataset_id);
    return presentComment(row, principal.user_id);
  }

  /** @throws AppError `not_found`; `forbidden` for a comment of somebody else. */
  editComment(context: DatasetContext, { comment_id, text }: { comment_id: string; text: string }): Comment {
    const { catalog, rows, clock } = this.#parts;
    const { dataset, principal } = context;
    const row = this.#comment(context, comment_id);
    if (row.user_id !== principal.user_id) throw new AppError('forbidden', message('comment_not_own'));
    const editedAt = clock.iso();
    catalog.transaction(() => {
      rows.changeComment(comment_id, text, editedAt);
      this.#notifyMentioned(context, row, text, row.text);
    });
    this.#announce(dataset.dataset_id);
    return presentComment({ ...row, text, edited_at: editedAt }, principal.user_id);
  }

  /** @throws AppError `not_found`; `forbidden` for a comment of somebody else, unless the caller owns the dataset. */
  deleteComment(context: DatasetContext, { comment_id }: { comment_id: string }): null {
    const { rows, roles } = this.#parts;
    const { dataset, principal } = context;
    const row = this.#comment(context, comment_id);
    if (row.user_id !== principal.user_id && roles.of(principal)(dataset) !== 'owner') {
      throw new AppError('forbidden', message('comment_not_own'));
    }
    rows.deleteComment(comment_id);
    this.#announce(dataset.dataset_id);
    return null;
  }

  /** @throws AppError `not_found` for somebody who cannot see the dataset; `invalid_input` for an unreadable query. */
  assign(context: DatasetContext, input: Input<'assign_items'>): Assignment {
    const { catalog, rows, clock, ids } = this.#parts;
    const { dataset, principal } = context;
    parseVql(input.vql);
    const assignee = this.#person(dataset, input.assignee_email);
    if (!assignee) throw new AppError('not_found', message('user_without_access', { email: input.assignee_email }));
    const { title, note, entity_type, vql } = input;
    const row: AssignmentListRow = {
      assignment_id: ids.uuid(),
      ...{ title, note, entity_type, vql },
      dataset_id: dataset.dataset_id,
      dataset_name: dataset.display_name,
      assignee_id: assignee.user_id,
      assignee_email: assignee.email,
      assignee_name: assignee.name,
      assigned_by: principal.email,
      assigned_by_id: principal.user_id,
      created_at: clock.iso(),
      done_at: null,
    };
    catalog.transaction(() => {
      rows.addAssignment(row);
      if (assignee.user_id !== principal.user_id) {
        this.#notify(context, [assignee.user_id], dataset, noticeOf(row, note === '' ? title : `${title}: ${note}`));
      }
    });
    this.#announce(dataset.dataset_id);
    return presentAssignment(row, principal.user_id);
  }

  listAssignments({ principal }: CallContext): Assignment[] {
    return this.#parts.rows.listAssignments(principal).map((row) => presentAssignment(row, principal.user_id));
  }

  /** @throws AppError `not_found` for an assignment of somebody else. */
  setDone(context: CallContext, { assignment_id, done }: { assignment_id: string; done: boolean }): Assignment {
    const { catalog, rows, clock } = this.#parts;
    const { principal } = context;
    const row = rows.findAssignment(principal, assignment_id);
    if (row?.assignee_id !== principal.user_id) throw new AppError('not_found', message('assignment_not_found'));
    const doneAt = done ? (row.done_at ?? clock.iso()) : null;
    catalog.transaction(() => {
      rows.setDone(assignment_id, doneAt);
      if (done && row.done_at === null && row.assigned_by_id !== principal.user_id) {
        const dataset = { dataset_id: row.dataset_id, display_name: row.dataset_name };
        this.#notify(context, [row.assigned_by_id], dataset, noticeOf(row, row.title));
      }
    });
    this.#announce(row.dataset_id);
    return presentAssignment({ ...row, done_at: doneAt }, principal.user_id);
  }

  /** @throws AppError `not_found` for an assignment that the caller did not make. */
  deleteAssignment({ principal }: CallContext, { assignment_id }: { assignment_id: string }): null {
    const { rows } = this.#parts;
    const row = rows.findAssignment(principal, assignment_id);
    if (row?.assigned_by_id !== principal.user_id) throw new AppError('not_found', message('assignment_not_found'));
    rows.deleteAssignment(assignment_id);
    this.#announce(row.dataset_id);
    return null;
  }

  #comment({ dataset }: DatasetContext, commentId: string): CommentRow {
    const row = this.#parts.rows.findComment(dataset.dataset_id, commentId);
    if (!row) throw new AppError('not_found', message('comment_not_found'));
    return row;
  }

  #people(dataset: DatasetContext['dataset']) {
    const { users, roles } = this.#parts;
    return users.listPeople(dataset.dataset_id).flatMap((person) => {
      const role = roles.ofAccount(person.user_id)(dataset);
      return role ? [{ ...person, role }] : [];
    });
  }

  #person(dataset: DatasetContext['dataset'], email: string) {
    return this.#people(dataset).find((person) => person.email.toLowerCase() === email.toLowerCase());
  }

  /** Notifies the people that a text mentions, without those that the previous text mentioned. Joins the caller's transaction. */
  #notifyMentioned(context: DatasetContext, { media_id }: CommentRow, text: string, before = ''): void {
    const { dataset, principal } = context;
    const known = new Set(mentionsOf(before));
    const mentioned = mentionsOf(text).flatMap((email) => {
      const person = known.has(email) ? undefined : this.#person(dataset, email);
      return person && person.user_id !== principal.user_id ? [person.user_id] : [];
    });
    if (mentioned.length === 0) return;
    this.#notify(context, [...new Set(mentioned)], dataset, {
      entity_type: 'comment',
      entity_id: media_id,
      title: dataset.display_name,
      message: text,
      media_ids: [media_id],
    });
  }

  /** Joins the caller's transaction. */
  #notify(
    { principal }: CallContext,
    userIds: readonly string[],
    dataset: { dataset_id: string; display_name: string },
    { media_ids, ...notice }: Notice,
  ): void {
    this.#parts.notifications.add(userIds, {
      ...notice,
      dataset_id: dataset.dataset_id,
      metadata: {
        ...{ view_name: '', dataset_name: dataset.display_name, result_count: media_ids.length, batch_id: '' },
        is_alert: false,
        shared_by: principal.name === '' ? principal.email : principal.name,
        media_ids,
      },
    });
  }

  #announce(datasetId: string): void {
    this.#parts.events.emit('teamwork_changed', { dataset_id: datasetId });
    this.#parts.events.emit('notifications_changed', { dataset_id: datasetId });
  }
}

function mentionsOf(text: string): string[] {
  return Array.from(text.matchAll(MENTION), ([, email = '']) => email.toLowerCase());
}

function noticeOf({ assignment_id, dataset_name }: AssignmentListRow, text: string): Notice {
  return { entity_type: 'assignment', entity_id: assignment_id, title: dataset_name, message: text, media_ids: [] };
}

function presentComment({ user_id, dataset_id: _dataset, ...row }: CommentRow, reader: string): Comment {
  return { ...row, is_own: user_id === reader };
}

function presentAssignment(
  { assignee_id, assigned_by_id: _by, ...row }: AssignmentListRow,
  reader: string,
): Assignment {
  return { ...row, is_own: assignee_id === reader };
}
