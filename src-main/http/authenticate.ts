import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';
import type { BegunSession, OperationSpec } from '../contract/operation.ts';
import { ANONYMOUS, type Caller, type Core, type Credentials, type Principal } from '../core/core.ts';

/** Named by interface section 4.1. */
const SESSION_COOKIE = 'SESSION';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; undefined where nobody was asked. */
    principal: Principal | undefined;
  }
}

/** A hook that lets nobody on who does not say who they are. */
export function requirePrincipal(core: Core): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request) => {
    request.principal = await core.authenticate(credentialsOf(request), callerOf(request));
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
  const options = { path: '/', httpOnly: true, sameSite: 'lax' } as const;
  if (change === 'end') {
    reply.clearCookie(SESSION_COOKIE, options);
    return result;
  }
  const { session, ...answer } = result as BegunSession;
  reply.setCookie(SESSION_COOKIE, session.token, { ...options, expires: new Date(session.expires_at) });
  return answer;
}

/** @throws AppError `unauthenticated` for two tokens: one that stands before us could have checked the other. */
function credentialsOf({ raw, headers, cookies }: FastifyRequest): Credentials {
  const { authorization: all = [] } = raw.headersDistinct;
  if (all.length > 1) throw new AppError('unauthenticated', 'Give one Authorization header');
  const bearer = /^Bearer(?: +(.*))?$/i.exec(headers.authorization?.trim() ?? '');
  return { bearer: bearer ? (bearer[1] ?? '') : undefined, session: cookies[SESSION_COOKIE] };
}
