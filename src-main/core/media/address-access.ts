import type { DatasetPermission, DatasetRole } from '../../contract/permissions.ts';
import type { DatasetRoles } from '../access/dataset-roles.ts';
import { mayOnDataset } from '../access/rules.ts';
import type { ServiceMode } from '../accounts/service-mode.ts';
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

export interface AddressAccessParts {
  mode: Pick<ServiceMode, 'authentication'>;
  urls: MediaUrls;
  datasets: Pick<DatasetService, 'getRow'>;
  roles: DatasetRoles;
}

/**
 * Signed addresses when they are fetched. Whom one was given to is looked up each time, which takes some microseconds: an address ends with the
 * account, the share or the role that it came by.
 */
export class AddressAccess {
  readonly #parts: AddressAccessParts;

  constructor(parts: AddressAccessParts) {
    this.#parts = parts;
  }

  /**
   * The dataset that an address leads into.
   * @throws AppError `forbidden` for a wrong signature, and in the words of one that expired where its time or the right to it is over;
   * `not_found` for a dataset that is gone.
   */
  open(kind: MediaKind, address: SignedAddress): DatasetListRow {
    const { urls, datasets } = this.#parts;
    urls.verify(kind, address);
    const dataset = datasets.getRow(address.dataset_id);
    if (!mayOnDataset(this.#roleOf(address, dataset), PERMISSIONS[kind])) throw expired();
    return dataset;
  }

  /** The local owner is nobody in an address, and nobody's on a server that asks who calls: it may have asked nobody before. */
  #roleOf({ u }: SignedAddress, dataset: DatasetListRow): DatasetRole | undefined {
    const { mode, roles } = this.#parts;
    if (u !== undefined) return roles.ofAccount(u)(dataset);
    return mode.authentication ? undefined : 'owner';
  }
}
