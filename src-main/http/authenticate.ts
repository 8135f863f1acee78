import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import type { OperationSpec, RedirectReply, StartedSession } from '../contract/operation.ts';
import { ANONYMOUS, type Caller, type Core, type Credentials, type Principal } from '../core/core.ts';

/** The cookie's name is set by interface section 4.1. */
const SESSION_COOKIE = 'SESSION';
/** Cookie that identifies a pending login at another identity provider. */
const LOGIN_COOKIE = 'LOGIN';
const LOGIN_S = 600;

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; undefined for operations that need no authentication. */
    principal: Principal | undefined;
  }
}

/** Creates a hook that rejects unauthenticated requests. */
export function requirePrincipal(core: Core): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request) => {
    request.principal = await core.authenticate(credentialsOf(request));
  };
}

/** Returns the caller, or the anonymous principal. */
export function principalOf(request: FastifyRequest): Principal {
  return request.principal ?? ANONYMOUS;
}

export function callerOf({ ip, headers }: FastifyRequest): Caller {
  return { address: ip, client: headers['user-agent'] ?? '' };
}

/** Sets or clears the session cookie; returns the answer without the token. */
export function keepSession(
  reply: FastifyReply,
  change: NonNullable<OperationSpec['session']>,
  result: unknown,
): unknown {
  if (change === 'end') {
    reply.clearCookie(SESSION_COOKIE, sessionCookie(reply));
    return result;
  }
  const { session, ...answer } = result as StartedSession;
  setSession(reply, session);
  return answer;
}

/** Returns the id of the login that the browser started. */
export function loginOf({ cookies }: FastifyRequest): string | undefined {
  return cookies[LOGIN_COOKIE];
}

/** Sends a redirect, and sets the cookies that the login needs. */
export function sendRedirect(reply: FastifyReply, { location, login_id, session }: RedirectReply): FastifyReply {
  // The provider redirects from another site; browsers do not send strict cookies with that request.
  const options = { ...sessionCookie(reply), path: '/api/v1/oidc', sameSite: 'lax' } as const;
  if (login_id === undefined) reply.clearCookie(LOGIN_COOKIE, options);
  else reply.setCookie(LOGIN_COOKIE, login_id, { ...options, maxAge: LOGIN_S });
  if (session) setSession(reply, session);
  return reply.header('Cache-Control', 'no-store').header('Location', location).send();
}

function setSession(reply: FastifyReply, { token, expires_at }: StartedSession['session']): void {
  reply.setCookie(SESSION_COOKIE, token, { ...sessionCookie(reply), expires: new Date(expires_at) });
}

/** SameSite is strict because some GET operations of the interface change data; the page itself opens without a cookie. */
function sessionCookie({ request }: FastifyReply) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: request.protocol === 'https' } as const;
}

/** @throws AppError `unauthenticated` for two Authorization headers: a proxy may have checked the other one. */
function credentialsOf({ raw, headers, cookies }: FastifyRequest): Credentials {
  const { authorization: all = [] } = raw.headersDistinct;
  if (all.length > 1) throw new AppError('unauthenticated', message('several_authorization_headers'));
  const bearer = /^Bearer(?: +(.*))?$/i.exec(headers.authorization?.trim() ?? '');
  return { bearer: bearer ? (bearer[1] ?? '') : undefined, session: cookies[SESSION_COOKIE] };
}
