import type { Permission } from '../../src-main/contract/permissions.ts';

/** Kinds of callers, by credential or role. */
export const CALLERS = [
  /** No credentials. */
  'none',
  /** An expired token, or a session that has ended. */
  'expired',
  /** A token signed with another secret, or a session that was never started. */
  'forged',
  /** A disabled account. */
  'disabled',
  /** An account whose password was set by somebody else. */
  'temporary',
  /** An administrator of a workspace other than the dataset's, which is the first one. */
  'other',
  /** Not a member of any workspace; the dataset is shared with this account. */
  'shared',
  /** Members of the dataset's workspace, by role. */
  'viewer',
  'editor',
  /** An editor who owns the dataset. */
  'owner',
  'admin',
] as const;
export type CallerKind = (typeof CALLERS)[number];

/** Allowed (`yes`: any later error is not about permissions), or the status of the refusal. */
export type Outcome = 'yes' | 401 | 403 | 404;

const row = (...outcomes: Outcome[]): Record<CallerKind, Outcome> =>
  Object.fromEntries(CALLERS.map((caller, at) => [caller, outcomes[at]])) as Record<CallerKind, Outcome>;

/** Outcome for each kind of caller, by the permission that the operation requires. A missing permission is a compile error. */
// biome-ignore format: a table
export const MATRIX: Record<Permission, Record<CallerKind, Outcome>> = {
  //                        none   expired forged disabled temporary other  shared viewer editor owner  admin
  public:             row('yes',  'yes',  'yes',  'yes',   'yes',    'yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  // No caller has a valid signature.
  signed_url:         row(403,    403,    403,    403,     403,      403,   403,   403,   403,   403,   403),
  self:               row(401,    401,    401,    401,     'yes',    'yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  account:            row(401,    401,    401,    401,     403,      'yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  'datasets:list':    row(401,    401,    401,    401,     403,      'yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  'datasets:create':  row(401,    401,    401,    401,     403,      'yes', 403,   403,   'yes', 'yes', 'yes'),
  'users:view':       row(401,    401,    401,    401,     403,      403,   403,   403,   403,   403,   'yes'),
  'users:manage':     row(401,    401,    401,    401,     403,      403,   403,   403,   403,   403,   'yes'),
  'workspaces:create':row(401,    401,    401,    401,     403,      403,   403,   403,   403,   403,   'yes'),
  'settings:manage':  row(401,    401,    401,    401,     403,      403,   403,   403,   403,   403,   'yes'),
  'workspace:view':   row(401,    401,    401,    401,     403,      404,   404,   'yes', 'yes', 'yes', 'yes'),
  'workspace:manage': row(401,    401,    401,    401,     403,      404,   404,   403,   403,   403,   'yes'),
  'dataset:view':     row(401,    401,    401,    401,     403,      404,   'yes', 'yes', 'yes', 'yes', 'yes'),
  'dataset:edit':     row(401,    401,    401,    401,     403,      404,   403,   403,   'yes', 'yes', 'yes'),
  'dataset:export':   row(401,    401,    401,    401,     403,      404,   403,   403,   'yes', 'yes', 'yes'),
  'dataset:own':      row(401,    401,    401,    401,     403,      404,   403,   403,   403,   'yes', 'yes'),
  'image:view':       row(401,    401,    401,    401,     403,      404,   'yes', 'yes', 'yes', 'yes', 'yes'),
  'task:control':     row(401,    401,    401,    401,     403,      404,   403,   403,   'yes', 'yes', 'yes'),
};
