import { useTranslation } from 'react-i18next';
import type { ListedItem } from '../../../../src-main/contract/schemas/facets.ts';
import { api } from '../../../lib/api.ts';
import { asApiError } from '../../../lib/api-error.ts';
import { orderOf, queryOf } from '../../../lib/explore-source.ts';
import { useLastEdit } from '../../../lib/last-edit.ts';
import { useNotices } from '../../../lib/notices.ts';
import type { Place } from '../../../lib/routes.ts';
import { selectionOf, useChosen } from '../../../lib/selection.ts';
import { asTsv } from './columns.ts';
import { useColumns } from './use-columns.ts';

/** Maximum number of rows that are copied at once, and rows per request. */
const [MAX_ROWS, PAGE_ROWS] = [10_000, 500];

/**
 * Returns a function that copies the selected rows as tab-separated values, in the order of the table; without a selection the given one.
 * A selection of the whole list copies its first {@link MAX_ROWS} rows.
 */
export function useCopyRows(datasetId: string, place: Place): (only?: ListedItem) => void {
  const { t } = useTranslation();
  const { shown } = useColumns(datasetId, place);
  const chosen = useChosen(datasetId);
  const say = useNotices((notices) => notices.show);
  const fail = useLastEdit((last) => last.fail);

  const read = async (only: ListedItem | undefined): Promise<ListedItem[]> => {
    if (only !== undefined && chosen.size === 0) return [only];
    const parts = selectionOf(chosen.values());
    const ids = new Set(parts.flatMap((part) => (part.type === 'media' ? part.payload.media_ids : [])));
    const isWhole = parts.some(({ type }) => type !== 'media') || ids.size === 0;
    const found: ListedItem[] = [];
    const asked = { dataset_id: datasetId, ...queryOf(place), ...orderOf(place), details: true, page_size: PAGE_ROWS };
    for (let page = 0; page * PAGE_ROWS < MAX_ROWS; page += 1) {
      const { items, total } = await api.list_items({ ...asked, page_number: page });
      found.push(...(isWhole ? items : items.filter(({ media_id }) => ids.has(media_id))));
      if ((page + 1) * PAGE_ROWS >= total || (!isWhole && found.length === ids.size)) break;
    }
    return found;
  };
  return (only) => {
    read(only)
      .then(async (rows) => {
        await navigator.clipboard.writeText(asTsv(shown, rows));
        say({ key: 'copied-rows', text: t('table.copied', { count: rows.length }), isBrief: true });
      })
      .catch((failure: unknown) => fail(datasetId, asApiError(failure)));
  };
}
