import type { UseQueryResult } from '@tanstack/react-query';
import { type CallableOperationId, operations } from '../../src-main/contract/contract.ts';
import type { Account } from '../../src-main/contract/schemas/account.ts';
import type { ApiError } from './api-error.ts';
import { mayCall, type RoleOn } from './may-call.ts';
import { routes } from './routes.ts';
import { useOperation } from './use-operation.ts';

/** The signed-in user, and the features of this service. */
export function useAccount(): UseQueryResult<Account, ApiError> {
  return useOperation('get_account', {}, { staleTime: Number.POSITIVE_INFINITY });
}

/** Returns whether the user may call an operation. For an operation on a dataset, pass the dataset. */
export type May = (operation: CallableOperationId, dataset?: RoleOn) => boolean;

/** Whether the user may call operations, so that pages hide what would be refused. Nothing is allowed while the account is loading. */
export function useMay(): May {
  const { data: account } = useAccount();
  return (operation, dataset) => account !== undefined && mayCall(account, operations[operation], dataset);
}

/** Route of the page of users or members. undefined if the user may see neither. */
export function usePeoplePage(): string | undefined {
  const may = useMay();
  if (may('list_users')) return routes.users();
  return may('list_members') ? routes.members() : undefined;
}

/** Whether the service runs on another machine or is also used from other machines. */
export function useIsShared(): boolean {
  return useAccount().data?.authentication === true;
}
