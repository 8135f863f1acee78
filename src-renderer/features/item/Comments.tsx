import { useMutation } from '@tanstack/react-query';
import { Pencil, Trash } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Comment, MAX_COMMENT_CHARS } from '../../../src-main/contract/schemas/teamwork.ts';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { useIsShared } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useMayOn } from '../../lib/datasets.ts';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './Comments.module.css';
import { DetailsSection } from './DetailsSection.tsx';

/** What people wrote about an item. */
export function Comments({ datasetId, imageId }: { datasetId: string; imageId: string }) {
  const { t } = useTranslation();
  const { data: comments = [] } = useOperation('list_comments', { dataset_id: datasetId, media_id: imageId });
  const may = useMayOn(datasetId)('add_comment');
  const [editedId, setEditedId] = useState<string | undefined>(undefined);
  const onSettled = useRefresh('list_comments');
  const add = useMutation<unknown, ApiError, string>({
    mutationFn: (text) => api.add_comment({ dataset_id: datasetId, media_id: imageId, text }),
    onSettled,
  });
  const edit = useMutation<unknown, ApiError, { comment_id: string; text: string }>({
    mutationFn: (input) => api.edit_comment({ dataset_id: datasetId, ...input }),
    onSuccess: () => setEditedId(undefined),
    onSettled,
  });
  const remove = useMutation<unknown, ApiError, string>({
    mutationFn: (commentId) => api.delete_comment({ dataset_id: datasetId, comment_id: commentId }),
    onSettled,
  });
  if (!may && comments.length === 0) return null;
  const error = add.error ?? edit.error ?? remove.error;
  return (
    <DetailsSection title={t('comments.title')} count={comments.length} testId="item-comments">
      <ul className={styles.list}>
        {comments.map((comment) => (
          <li key={comment.comment_id} className={styles.comment} data-testid="comment">
            <CommentHead comment={comment}>
              {comment.is_own && may && (
                <IconButton
                  label={t('comments.edit')}
                  icon={<Pencil size={12} />}
                  onClick={() => setEditedId(comment.comment_id)}
                  data-testid="edit-comment"
                />
              )}
              {comment.is_own && may && (
                <IconButton
                  label={t('comments.delete')}
                  icon={<Trash size={12} />}
                  onClick={() => remove.mutate(comment.comment_id)}
                  data-testid="delete-comment"
                />
              )}
            </CommentHead>
            {editedId === comment.comment_id ? (
              <CommentField
                datasetId={datasetId}
                label={t('comments.edit')}
                initial={comment.text}
                submit={t('comments.save')}
                isPending={edit.isPending}
                onSubmit={(text) => edit.mutate({ comment_id: comment.comment_id, text })}
                onCancel={() => setEditedId(undefined)}
              />
            ) : (
              <p className={styles.text}>{comment.text}</p>
            )}
          </li>
        ))}
      </ul>
      {error !== null && (
        <p className={styles.error} role="alert">
          {error.detail}
        </p>
      )}
      {may && editedId === undefined && (
        <CommentField
          key={comments.length}
          datasetId={datasetId}
          label={t('comments.add')}
          initial=""
          submit={t('comments.submit')}
          isPending={add.isPending}
          onSubmit={(text) => add.mutate(text)}
        />
      )}
    </DetailsSection>
  );
}

function CommentHead({ comment, children }: { comment: Comment; children: ReactNode }) {
  const { t } = useTranslation();
  const { author_name, author_email, created_at, edited_at } = comment;
  return (
    <div className={styles.head}>
      <strong className={styles.author} title={author_email}>
        {author_name || author_email}
      </strong>
      <time className={styles.when} dateTime={created_at} title={formatDateTime(created_at)}>
        {formatAgo(created_at, Date.now())}
        {edited_at !== null && ` · ${t('comments.edited')}`}
      </time>
      <span className={styles.space} />
      {children}
    </div>
  );
}

interface CommentFieldProps {
  datasetId: string;
  label: string;
  initial: string;
  submit: string;
  isPending: boolean;
  onSubmit(text: string): void;
  onCancel?(): void;
}

/** Text of a comment. Ctrl and Enter send it. After `@`, people of the dataset are offered. */
function CommentField({ datasetId, label, initial, submit, isPending, onSubmit, onCancel }: CommentFieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(initial);
  const hasOthers = useIsShared();
  const started = /(?:^|\s)@([^\s]*)$/.exec(text)?.[1];
  const { data: people = [] } = useOperation(
    'list_people',
    { dataset_id: datasetId },
    { enabled: hasOthers && started !== undefined, staleTime: 60_000 },
  );
  const wanted = started?.toLocaleLowerCase() ?? '';
  const offered =
    started === undefined
      ? []
      : people
          .filter(({ email, name }) => `${email} ${name}`.toLocaleLowerCase().includes(wanted) && email !== wanted)
          .slice(0, 5);
  const id = useId();
  const send = () => {
    if (text.trim() !== '' && !isPending) onSubmit(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
    else if (event.key === 'Escape' && onCancel !== undefined) onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <textarea
        id={id}
        className={styles.input}
        value={text}
        rows={2}
        maxLength={MAX_COMMENT_CHARS}
        placeholder={t(hasOthers ? 'comments.hintShared' : 'comments.hint')}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        data-testid="comment-text"
      />
      {offered.length > 0 && (
        <ul className={styles.people}>
          {offered.map(({ email, name }) => (
            <li key={email}>
              <button
                type="button"
                className={styles.person}
                onClick={() => setText(`${text.slice(0, text.length - wanted.length)}${email} `)}
                data-testid="mention"
              >
                {name === '' ? email : `${name} · ${email}`}
              </button>
            </li>
          ))}
        </ul>
      )}
      {text.trim() !== '' && (
        <span className={styles.actions}>
          {onCancel !== undefined && <Button onClick={onCancel}>{t('common.cancel')}</Button>}
          <Button kind="primary" disabled={isPending} onClick={send} data-testid="comment-submit">
            {submit}
          </Button>
        </span>
      )}
    </div>
  );
}
