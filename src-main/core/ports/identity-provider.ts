/** State of a login while the user is at the provider. */
export interface PendingLogin {
  state: string;
  nonce: string;
  code_verifier: string;
  redirect_uri: string;
}

/** Identity of a user as proved by a provider. `email` is an address that the provider has verified. */
export interface ProvedIdentity {
  issuer: string;
  subject: string;
  username: string | null;
  email: string | null;
  /** Whether the provider returned an address that it has not verified. */
  has_unverified_email: boolean;
  first_name: string | null;
  last_name: string | null;
}

/** A provider of OpenID Connect: authorization code flow with PKCE, state and nonce. */
export interface IdentityProvider {
  /** Display name of the provider. */
  readonly name: string;
  /**
   * Starts a login.
   * @returns The URL to redirect the user to, and the state to keep until {@link finish}.
   * @throws AppError `unavailable` when the provider cannot be reached.
   */
  begin(redirectUri: string): Promise<{ url: string; pending: PendingLogin }>;
  /**
   * Finishes a login.
   * @param answer Query parameters of the redirect back from the provider.
   * @throws AppError `forbidden` if the provider refused the user or the user did not consent, `unavailable` when the provider cannot be
   * reached, `unauthenticated` for every other answer that does not prove an identity.
   */
  finish(pending: PendingLogin, answer: Readonly<Record<string, string>>): Promise<ProvedIdentity>;
}
