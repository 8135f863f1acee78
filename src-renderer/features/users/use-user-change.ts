import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { User } from '../../../src-main/contract/schemas/user.ts';
import { type ApiInput, api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/** Queries that show users and their rights, fetched again after each change. */
export function useRefreshPeople(): () => Promise<void> {
  return useRefresh('list_users', 'list_members', 'get_account', 'list_user_sessions');
}

/** Renames, enables or disables a user. */
export function useUserChange(): UseMutationResult<User, ApiError, ApiInput<'update_user'>> {
  return useMutation({ mutationFn: (input) => api.update_user(input), onSettled: useRefreshPeople() });
}
