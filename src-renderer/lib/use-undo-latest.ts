import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAccount } from './account.ts';
import { ApiError, asApiError } from './api-error.ts';
import { useLastEdit } from './last-edit.ts';
import { useEdits } from './use-edits.ts';
import { operationQuery } from './use-operation.ts';

/** Returns a function that undoes the user's latest edit of a dataset. Edits of other people stay. */
export function useUndoLatest(datasetId: string): () => void {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: account } = useAccount();
  const { undo, isPending } = useEdits(datasetId);
  const fail = useLastEdit((last) => last.fail);
  return () => {
    if (isPending) return;
    client.fetchQuery({ ...operationQuery('list_edits', { dataset_id: datasetId }), staleTime: 0 }).then(
      (edits) => {
        const own = edits.find(({ created_by }) => created_by === account?.email);
        if (own?.edit_id != null) undo(own.edit_id);
        else fail(datasetId, new ApiError('not_found', t('edits.none')));
      },
      (failure: unknown) => fail(datasetId, asApiError(failure)),
    );
  };
}
