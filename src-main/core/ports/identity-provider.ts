/** What has to be remembered of a login while the person is at the provider. */
export interface PendingLogin {
  state: string;
  nonce: string;
  code_verifier: string;
  redirect_uri: string;
}

/** Who a provider says somebody is. The address is one that it has verified. */
export interface ProvedIdentity {
  issuer: string;
  subject: string;
  username: string | null;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
}

/** A provider of OpenID Connect: authorization code flow with PKCE, state and nonce. */
export interface IdentityProvider {
  /** As people know it. */
  readonly name: string;
  /** Where to send the person. @throws AppError `unavailable` when the provider cannot be reached. */
  begin(redirectUri: string): Promise<{ url: string; pending: PendingLogin }>;
  /**
   * @param answer Query parameters that the person came back with.
   * @throws AppError `unauthenticated` for everything that does not prove who they are.
   */
  finish(pending: PendingLogin, answer: Readonly<Record<string, string>>): Promise<ProvedIdentity>;
}
