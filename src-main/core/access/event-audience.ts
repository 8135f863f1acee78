import type { AppEvent } from '../../contract/events.ts';
import type { Principal } from '../core.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { DatasetRoles } from './dataset-roles.ts';
import { mayInService } from './rules.ts';

/** Decides which users receive which events. */
export class EventAudience {
  readonly #datasets: Pick<DatasetCatalog, 'find'>;
  readonly #roles: DatasetRoles;

  constructor(datasets: Pick<DatasetCatalog, 'find'>, roles: DatasetRoles) {
    this.#datasets = datasets;
    this.#roles = roles;
  }

  includes(principal: Principal, event: AppEvent): boolean {
    switch (event.name) {
      case 'dataset_changed':
      case 'views_changed':
      case 'teamwork_changed':
        return this.#sees(principal, event.data.dataset_id);
      case 'task_changed': {
        const { dataset_id } = event.data;
        return dataset_id === '' ? mayInService(principal, 'settings:manage') : this.#sees(principal, dataset_id);
      }
      case 'notifications_changed': {
        const { dataset_id } = event.data;
        return dataset_id === undefined || this.#sees(principal, dataset_id);
      }
      case 'access_changed':
      case 'sessions_ended':
        return event.data.user_id === principal.user_id;
      // The owner of a deleted dataset is no longer known, and the id alone reveals nothing.
      default:
        return true;
    }
  }

  #sees(principal: Principal, datasetId: string): boolean {
    if (principal.is_local_owner) return true;
    const dataset = this.#datasets.find(datasetId);
    return dataset !== undefined && this.#roles.of(principal)(dataset) !== undefined;
  }
}
