import type { Permission } from '../../src-main/contract/permissions.ts';

/** Who calls: what they bring, or what they are. */
export const CALLERS = [
  /** Nothing at all. */
  'none',
  /** A token whose time is over, or a session that has ended. */
  'expired',
  /** A token that another secret signed, or a session that nobody began. */
  'forged',
  /** An account that was disabled. */
  'disabled',
  /** One whose password somebody else has set. */
  'temporary',
  /** An admin of another workspace than that of the dataset, which is the first. */
  'other',
  /** No member of any workspace; the dataset is shared with them. */
  'shared',
  /** Members of the workspace of the dataset. */
  'viewer',
  'editor',
  /** An editor, whose dataset it is. */
  'owner',
  'admin',
] as const;
export type CallerKind = (typeof CALLERS)[number];

/** Let in (`yes`: whatever comes then is no matter of permission), or refused by a status. */
export type Outcome = 'yes' | 401 | 403 | 404;

const row = (...outcomes: Outcome[]): Record<CallerKind, Outcome> =>
  Object.fromEntries(CALLERS.map((caller, at) => [caller, outcomes[at]])) as Record<CallerKind, Outcome>;

/** What comes of a call of each kind of caller, by the permission that the operation asks for. A permission without a row does not compile. */
// biome-ignore format: a table
export const MATRIX: Record<Permission, Record<CallerKind, Outcome>> = {
  //                        none   expired forged disabled temporary other  shared viewer editor owner  admin
  public:             row('yes',  'yes',  'yes',  'yes',   'yes',    'yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  // Nobody here has a signature.
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
