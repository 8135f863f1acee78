import type { UseQueryResult } from '@tanstack/react-query';
import { type CallableOperationId, operations } from '../../src-main/contract/contract.ts';
import type { Account } from '../../src-main/contract/schemas/account.ts';
import type { ApiError } from './api-error.ts';
import { mayCall, type RoleOn } from './may-call.ts';
import { routes } from './routes.ts';
import { useOperation } from './use-operation.ts';

/** Who is signed in here, and what this service offers them. */
export function useAccount(): UseQueryResult<Account, ApiError> {
  return useOperation('get_account', {}, { staleTime: Number.POSITIVE_INFINITY });
}

/** Answers whether the person at the page may call an operation; of one on a dataset, on the given dataset. */
export type May = (operation: CallableOperationId, dataset?: RoleOn) => boolean;

/** What a page offers: what would be refused to who is signed in has no button. Nothing is offered until it is known to whom. */
export function useMay(): May {
  const { data: account } = useAccount();
  return (operation, dataset) => account !== undefined && mayCall(account, operations[operation], dataset);
}

/** Where the other people of the service are; undefined for who may see none of them. */
export function usePeoplePage(): string | undefined {
  const may = useMay();
  if (may('list_users')) return routes.users();
  return may('list_members') ? routes.members() : undefined;
}

/** Whether the service is on a machine that is not, or not only, the one of the person at the page. */
export function useIsShared(): boolean {
  return useAccount().data?.authentication === true;
}
