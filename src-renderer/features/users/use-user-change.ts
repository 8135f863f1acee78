import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { User } from '../../../src-main/contract/schemas/user.ts';
import { type ApiInput, api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/** What shows users and their rights, asked for again after each change of them. */
export function useRefreshPeople(): () => Promise<void> {
  return useRefresh('list_users', 'list_members', 'get_account', 'list_user_sessions');
}

/** Renames a user, or lets them in or out. */
export function useUserChange(): UseMutationResult<User, ApiError, ApiInput<'update_user'>> {
  return useMutation({ mutationFn: (input) => api.update_user(input), onSettled: useRefreshPeople() });
}
