import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';
import type { BegunSession, OperationSpec, RedirectReply } from '../contract/operation.ts';
import { ANONYMOUS, type Caller, type Core, type Credentials, type Principal } from '../core/core.ts';

/** Named by interface section 4.1. */
const SESSION_COOKIE = 'SESSION';
/** Of a login that another identity provider is to confirm. */
const LOGIN_COOKIE = 'LOGIN';
const LOGIN_S = 600;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; undefined where nobody was asked. */
    principal: Principal | undefined;
  }
}

/** A hook that lets nobody on who does not say who they are. */
export function requirePrincipal(core: Core): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request) => {
    request.principal = await core.authenticate(credentialsOf(request));
  };
}

/** Who calls, or nobody. */
export function principalOf(request: FastifyRequest): Principal {
  return request.principal ?? ANONYMOUS;
}

export function callerOf({ ip, headers }: FastifyRequest): Caller {
  return { address: ip, client: headers['user-agent'] ?? '' };
}

/** Keeps the token of a session in the caller's cookie, or takes it away; returns what is left to answer. */
export function keepSession(
  reply: FastifyReply,
  change: NonNullable<OperationSpec['session']>,
  result: unknown,
): unknown {
  if (change === 'end') {
    reply.clearCookie(SESSION_COOKIE, sessionCookie(reply));
    return result;
  }
  const { session, ...answer } = result as BegunSession;
  setSession(reply, session);
  return answer;
}

/** The id of the login that the browser began. */
export function loginOf({ cookies }: FastifyRequest): string | undefined {
  return cookies[LOGIN_COOKIE];
}

/** Leads a browser on, and keeps what its login needs. */
export function sendRedirect(reply: FastifyReply, { location, login_id, session }: RedirectReply): FastifyReply {
  // The provider leads back from another site, and strict cookies would stay behind.
  const options = { ...sessionCookie(reply), path: '/api/v1/oidc', sameSite: 'lax' } as const;
  if (login_id === undefined) reply.clearCookie(LOGIN_COOKIE, options);
  else reply.setCookie(LOGIN_COOKIE, login_id, { ...options, maxAge: LOGIN_S });
  if (session) setSession(reply, session);
  return reply.header('Cache-Control', 'no-store').header('Location', location).send();
}

function setSession(reply: FastifyReply, { token, expires_at }: BegunSession['session']): void {
  reply.setCookie(SESSION_COOKIE, token, { ...sessionCookie(reply), expires: new Date(expires_at) });
}

/** Strict, for the interface has GETs that change something; the page itself needs no cookie to open. */
function sessionCookie({ request }: FastifyReply) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: request.protocol === 'https' } as const;
}

/** @throws AppError `unauthenticated` for two tokens: one that stands before us could have checked the other. */
function credentialsOf({ raw, headers, cookies }: FastifyRequest): Credentials {
  const { authorization: all = [] } = raw.headersDistinct;
  if (all.length > 1) throw new AppError('unauthenticated', 'Give one Authorization header');
  const bearer = /^Bearer(?: +(.*))?$/i.exec(headers.authorization?.trim() ?? '');
  return { bearer: bearer ? (bearer[1] ?? '') : undefined, session: cookies[SESSION_COOKIE] };
}
