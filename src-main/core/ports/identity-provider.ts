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
  /** It names one that it has not verified. */
  has_unverified_email: boolean;
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
   * @throws AppError `forbidden` where they were refused or did not agree there, `unavailable` when the provider cannot be reached,
   * `unauthenticated` for everything else that does not prove who they are.
   */
  finish(pending: PendingLogin, answer: Readonly<Record<string, string>>): Promise<ProvedIdentity>;
}
