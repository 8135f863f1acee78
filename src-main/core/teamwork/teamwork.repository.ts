import type { Assignment } from '../../contract/schemas/teamwork.ts';
import { isVisibleTo, type Viewer } from '../access/visible.ts';
import type { Catalog } from '../ports/catalog.ts';

export interface CommentRow {
  comment_id: string;
  dataset_id: string;
  media_id: string;
  user_id: string;
  author_email: string;
  author_name: string;
  text: string;
  created_at: string;
  edited_at: string | null;
}

export interface AssignmentRow
  extends Omit<Assignment, 'is_own' | 'dataset_name' | 'assignee_email' | 'assignee_name'> {
  assignee_id: string;
  assigned_by_id: string;
}

export type AssignmentListRow = AssignmentRow & Pick<Assignment, 'dataset_name' | 'assignee_email' | 'assignee_name'>;

/** Maximum number of comments and of assignments that are listed. */
const LISTED = 500;

const ASSIGNMENTS = `SELECT assignment.*, dataset.display_name AS dataset_name, user.email AS assignee_email, user.name AS assignee_name
  FROM assignment JOIN dataset USING (dataset_id) JOIN user ON user.user_id = assignee_id`;

/** Comments on items, and assignments. */
export class TeamworkRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  listComments(datasetId: string, mediaId: string | undefined): CommentRow[] {
    return this.#catalog.all<CommentRow>(
      `SELECT * FROM comment WHERE dataset_id = :dataset_id AND (:media_id IS NULL OR media_id = :media_id)
       ORDER BY created_at ${mediaId === undefined ? 'DESC' : 'ASC'}, comment_id LIMIT ${LISTED}`,
      { dataset_id: datasetId, media_id: mediaId ?? null },
    );
  }

  findComment(datasetId: string, commentId: string): CommentRow | undefined {
    return this.#catalog.find<CommentRow>(
      'SELECT * FROM comment WHERE dataset_id = :dataset_id AND comment_id = :comment_id',
      { dataset_id: datasetId, comment_id: commentId },
    );
  }

  addComment(row: CommentRow): void {
    this.#catalog.run(
      `INSERT INTO comment VALUES (:comment_id, :dataset_id, :media_id, :user_id, :author_email, :author_name, :text, :created_at,
         :edited_at)`,
      { ...row },
    );
  }

  changeComment(commentId: string, text: string, at: string): void {
    this.#catalog.run('UPDATE comment SET text = :text, edited_at = :at WHERE comment_id = :comment_id', {
      comment_id: commentId,
      text,
      at,
    });
  }

  deleteComment(commentId: string): void {
    this.#catalog.run('DELETE FROM comment WHERE comment_id = :comment_id', { comment_id: commentId });
  }

  addAssignment(row: AssignmentRow): void {
    this.#catalog.run(
      `INSERT INTO assignment (assignment_id, dataset_id, assignee_id, assigned_by, assigned_by_id, title, note, entity_type, vql,
         created_at, done_at)
       VALUES (:assignment_id, :dataset_id, :assignee_id, :assigned_by, :assigned_by_id, :title, :note, :entity_type, :vql, :created_at,
         :done_at)`,
      { ...row },
    );
  }

  /** Assignments to or by a user, of datasets that the user may still see; open ones first, then newest first. */
  listAssignments(viewer: Viewer): AssignmentListRow[] {
    return this.#catalog.all<AssignmentListRow>(
      `${ASSIGNMENTS} WHERE :user_id IN (assignee_id, assigned_by_id) AND ${isVisibleTo(viewer)}
       ORDER BY done_at IS NOT NULL, assignment.created_at DESC LIMIT ${LISTED}`,
      { user_id: viewer.user_id },
    );
  }

  findAssignment(viewer: Viewer, assignmentId: string): AssignmentListRow | undefined {
    return this.#catalog.find<AssignmentListRow>(
      `${ASSIGNMENTS} WHERE assignment_id = :assignment_id AND :user_id IN (assignee_id, assigned_by_id) AND ${isVisibleTo(viewer)}`,
      { user_id: viewer.user_id, assignment_id: assignmentId },
    );
  }

  setDone(assignmentId: string, at: string | null): void {
    this.#catalog.run('UPDATE assignment SET done_at = :at WHERE assignment_id = :assignment_id', {
      assignment_id: assignmentId,
      at,
    });
  }

  deleteAssignment(assignmentId: string): void {
    this.#catalog.run('DELETE FROM assignment WHERE assignment_id = :assignment_id', { assignment_id: assignmentId });
  }
}
