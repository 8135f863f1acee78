import type { DatasetPermission, DatasetRole } from '../../contract/permissions.ts';
import type { DatasetRoles } from '../access/dataset-roles.ts';
import { mayOnDataset } from '../access/rules.ts';
import type { ServiceMode } from '../accounts/service-mode.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { DatasetListRow } from '../datasets/dataset-row.ts';
import { expired, type MediaUrls, type SignedAddress } from './media-urls.ts';
import type { MediaKind } from './sign-url.ts';

/** The permission that the holder of a signed URL must keep for the URL to stay valid. */
const PERMISSIONS: Readonly<Record<MediaKind, DatasetPermission>> = {
  media: 'dataset:view',
  thumbnail: 'dataset:view',
  cover: 'dataset:view',
  export: 'dataset:export',
};

export interface AddressAccessParts {
  mode: Pick<ServiceMode, 'authentication'>;
  urls: MediaUrls;
  datasets: Pick<DatasetCatalog, 'getRow'>;
  roles: DatasetRoles;
}

/**
 * Checks signed URLs when they are fetched. The user's role is looked up each time, which takes a few microseconds, so that a URL becomes
 * invalid with the account, share or role that it was issued for.
 */
export class AddressAccess {
  readonly #parts: AddressAccessParts;

  constructor(parts: AddressAccessParts) {
    this.#parts = parts;
  }

  /**
   * Returns the dataset of a signed URL.
   * @throws AppError `forbidden` for a wrong signature, and with the message of an expired URL if its time or the user's permission has
   * ended; `not_found` for a deleted dataset.
   */
  open(kind: MediaKind, address: SignedAddress): DatasetListRow {
    const { urls, datasets } = this.#parts;
    urls.verify(kind, address);
    const dataset = datasets.getRow(address.dataset_id);
    if (!mayOnDataset(this.#roleOf(address, dataset), PERMISSIONS[kind])) throw expired();
    return dataset;
  }

  /**
   * URLs signed for the local owner carry no user. They are rejected when authentication is on, because they may date from a time when it
   * was off.
   */
  #roleOf({ u }: SignedAddress, dataset: DatasetListRow): DatasetRole | undefined {
    const { mode, roles } = this.#parts;
    if (u !== undefined) return roles.ofAccount(u)(dataset);
    return mode.authentication ? undefined : 'owner';
  }
}
