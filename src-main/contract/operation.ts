import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { FeatureFlag, Permission } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Maximum size of a JSON or urlencoded body, or of the fields of a form. */
const USUAL_BODY_BYTES = 64 * 1024;
/** Maximum size of a body with lists, queries or files; it is parsed and validated in a few milliseconds. */
export const LONG_BODY_BYTES = 1024 * 1024;

/**
 * Transport of the fields of `input` over HTTP: path parameters by the template, `query` names in the query string, the rest in the body.
 * - `none`: no body is read; everything else is in the query string
 * - `json`: a JSON object
 * - `form`: multipart or urlencoded; `files` names the field(s) that hold uploads, `jsonFile` the one that a JSON body stands for
 */
export type BodyKind = 'none' | 'json' | 'form';

/**
 * Form of a successful answer.
 * - `json`: the output schema as compact JSON
 * - `empty`: no body; `null`: the JSON text `null`
 * - `text`: a string as it is
 * - `redirect`: {@link RedirectReply}, for browsers (never over IPC)
 * - `file`: bytes with ranges and cache headers (never over IPC); `stream`: server-sent events (never over IPC)
 */
export type ReplyKind = 'json' | 'empty' | 'null' | 'text' | 'redirect' | 'file' | 'stream';

export interface OperationSpec<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  P extends Permission = Permission,
> {
  method: Method;
  /** Below `/api/v1`, parameters in braces. */
  path: `/${string}`;
  /** Section of the interface; `compat` for further operations of existing clients, `own` for ours. */
  section: string;
  summary: string;
  permission: P;
  feature?: FeatureFlag;
  /** Answer of a call while `feature` is off. */
  featureOffReason?: 'adding_media_off' | 'deletion_off' | 'sharing_off' | 'snapshots_off';
  body: BodyKind;
  /** Input fields that stay in the query string although there is a body. */
  query?: readonly string[];
  /** Form fields that hold uploads, and whether one may repeat. */
  files?: Readonly<Record<string, 'one' | 'many'>>;
  /** The upload field that a JSON body is spooled to, whatever its size. */
  jsonFile?: string;
  /** A screen waits for the answer: background jobs give way meanwhile. */
  forScreen?: true;
  /** The body holds lists of ids or labels, or queries. */
  longBody?: true;
  /** A GET that also answers POST with the same fields as a JSON object, for queries that are too long for an address. */
  alsoByPost?: true;
  /** Maximum size of an upload, if less than the server's limit. */
  maxFileBytes?: number;
  input: I;
  output: O;
  reply: ReplyKind;
  status: number;
  /**
   * The call starts or ends a session. A handler that starts one also returns {@link StartedSession}, which the adapter keeps for the caller
   * (a cookie over HTTP) and removes from the answer.
   */
  session?: 'begin' | 'end';
  /** Failures also carry `message` and `"status":"error"`, as clients of dataset creation read them. */
  creation?: true;
  /** Error codes of the operation besides `invalid_input` and `internal`. */
  errors: readonly ErrorCode[];
}

/** Part of an answer that starts a session: its token, and its latest end in ISO 8601. */
export interface StartedSession {
  session: { token: string; expires_at: string };
}

/** A redirect of the browser. */
export interface RedirectReply {
  location: string;
  /** Id of a started login: the browser returns it as the input's `login_id`. */
  login_id?: string;
  /** Set when a login has succeeded. */
  session?: StartedSession['session'];
}

type Defaults = 'permission' | 'body' | 'reply' | 'status' | 'errors';

/** Declares one operation. Its HTTP route, IPC method, typed client call, OpenAPI entry, permission check and contract test derive from this. */
export function defineOperation<
  I extends z.ZodObject,
  O extends z.ZodType,
  const P extends Permission = 'dataset:view',
>(
  spec: Omit<OperationSpec<I, O, P>, Defaults> & Partial<Pick<OperationSpec<I, O, P>, Defaults>>,
): OperationSpec<I, O, P> {
  const defaults = { permission: 'dataset:view', body: 'none', reply: 'json', status: 200, errors: [] } as const;
  return { ...defaults, ...spec } as OperationSpec<I, O, P>;
}

/** What a handler receives. */
export type OperationInput<T> = T extends OperationSpec<infer I, z.ZodType> ? z.output<I> : never;
/** What a caller may pass. */
export type OperationArguments<T> = T extends OperationSpec<infer I, z.ZodType> ? z.input<I> : never;
/** What a handler returns. */
export type OperationOutput<T> = T extends OperationSpec<z.ZodObject, infer O> ? z.input<O> : never;
/** What a caller gets. */
export type OperationResult<T> = T extends OperationSpec<z.ZodObject, infer O> ? z.output<O> : never;

/** Maximum size of a body without its files. */
export function maxBodyBytes({
  longBody,
  alsoByPost,
  files,
}: Pick<OperationSpec, 'longBody' | 'alsoByPost' | 'files'>): number {
  return longBody || alsoByPost || files ? LONG_BODY_BYTES : USUAL_BODY_BYTES;
}

/** Names of the parameters in a path template, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
