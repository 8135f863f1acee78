import type { VitrineBridge } from '../../src-preload/bridge.ts';
import { type ApiInput, api } from './api.ts';

export type TrashQuery = Omit<ApiInput<'list_items'>, 'dataset_id'>;

/** An item whose original file is moved to the trash. */
export interface TrashItem {
  media_id: string;
  file_path: string;
  size_bytes: number;
  /** Signed address of the original. */
  address: string;
}

const PAGE_SIZE = 500;

/** The images of a query that may have files of their own. Frames of videos have none. */
export async function loadTrashItems(datasetId: string, query: TrashQuery): Promise<TrashItem[]> {
  const found: TrashItem[] = [];
  for (let page = 0; ; page += 1) {
    const { items, total } = await api.list_items({
      ...{ sort_by: 'name', ...query },
      ...{ dataset_id: datasetId, details: true, page_number: page, page_size: PAGE_SIZE },
    });
    for (const { type, media_id, original_uri, file_name, details } of items) {
      if (type !== 'IMAGE') continue;
      const { file_path = file_name, size_bytes = 0 } = details ?? {};
      found.push({ media_id, file_path, size_bytes, address: original_uri });
    }
    if ((page + 1) * PAGE_SIZE >= total || items.length === 0) return found;
  }
}

export interface TrashFailure {
  item: TrashItem;
  reason: 'no_file' | 'failed';
}

/**
 * Moves files to the trash or back, one after the other. @param onProgress Called with the number of handled files before each file;
 * stops if it returns false.
 */
export async function moveFiles(
  bridge: VitrineBridge,
  action: 'move' | 'restore',
  items: readonly TrashItem[],
  onProgress: (nDone: number) => boolean = () => true,
): Promise<{ done: TrashItem[]; failures: TrashFailure[] }> {
  const done: TrashItem[] = [];
  const failures: TrashFailure[] = [];
  for (const [at, item] of items.entries()) {
    if (!onProgress(at)) break;
    const result = await bridge.trashFile(action, item.address);
    if (result === 'done') done.push(item);
    else failures.push({ item, reason: result });
  }
  return { done, failures };
}
