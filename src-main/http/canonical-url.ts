/** The address of user management in the original service's public documentation. */
const USER_MANAGEMENT = /^\/api\/v1\/keycloak\/(?=admin\/)/;
/** An absolute address of this API that a client has appended to the server's own: its `download_uri` may be relative or absolute. */
const APPENDED_ADDRESS = /^\/(?:api\/v1\/?)?https?:\/{1,2}[^/?#]+(?=\/api\/v1\/)/;

/** The contract's spelling of a request's path and query, from other spellings that clients of the original service use. */
export function canonicalUrl(url: string): string {
  return url.replace(APPENDED_ADDRESS, '').replace(USER_MANAGEMENT, '/api/v1/idp/');
}
