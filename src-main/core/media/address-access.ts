import type { DatasetPermission } from '../../contract/permissions.ts';
import type { DatasetRoles } from '../access/dataset-roles.ts';
import { mayOnDataset } from '../access/rules.ts';
import type { DatasetService } from '../datasets/dataset.service.ts';
import type { DatasetListRow } from '../datasets/dataset-row.ts';
import { expired, type MediaKind, type MediaUrls, type SignedAddress } from './media-urls.ts';

/** What whom an address was given to must be allowed for as long as it is to work. */
const PERMISSIONS: Readonly<Record<MediaKind, DatasetPermission>> = {
  media: 'dataset:view',
  thumbnail: 'dataset:view',
  cover: 'dataset:view',
  export: 'dataset:export',
};

/**
 * Signed addresses when they are fetched. Whom one was given to is looked up each time, which takes some microseconds: an address ends with the
 * account, the share or the role that it came by.
 */
export class AddressAccess {
  readonly #urls: MediaUrls;
  readonly #datasets: Pick<DatasetService, 'getRow'>;
  readonly #roles: DatasetRoles;

  constructor(parts: { urls: MediaUrls; datasets: Pick<DatasetService, 'getRow'>; roles: DatasetRoles }) {
    this.#urls = parts.urls;
    this.#datasets = parts.datasets;
    this.#roles = parts.roles;
  }

  /**
   * The dataset that an address leads into.
   * @throws AppError `forbidden` for a wrong signature, and in the words of one that expired where its time or the right to it is over;
   * `not_found` for a dataset that is gone.
   */
  open(kind: MediaKind, address: SignedAddress): DatasetListRow {
    this.#urls.verify(kind, address);
    const dataset = this.#datasets.getRow(address.dataset_id);
    // The local owner is nobody in an address.
    if (address.u === undefined) return dataset;
    const role = this.#roles.ofAccount(address.u)(dataset);
    if (!mayOnDataset(role, PERMISSIONS[kind])) throw expired();
    return dataset;
  }
}
