import type { WebAuthnAnswer } from '../../src-main/contract/schemas/account.ts';
import { api } from './api.ts';

/** Whether this page can use passkeys: browsers allow them on secure pages that are opened by a host name. */
export function hasPasskeys(): boolean {
  const isIp = /^[\d.]+$|^\[/.test(location.hostname);
  return window.isSecureContext && !isIp && typeof PublicKeyCredential === 'function';
}

/** Asks the authenticator for a passkey and signs in with it. @throws DOMException if the user cancels. */
export async function signInWithPasskey(): Promise<void> {
  const options = await api.begin_passkey_login({});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  await api.login_with_passkey({ credential: answerOf(await navigator.credentials.get({ publicKey })) });
}

/** Creates a passkey and stores it. @throws DOMException if the user cancels. */
export async function createPasskey(currentPassword: string, name: string): Promise<void> {
  const options = await api.begin_passkey({ current_password: currentPassword });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  await api.add_passkey({ name, credential: answerOf(await navigator.credentials.create({ publicKey })) });
}

/** Whether an error means that the user closed the browser's dialog, or did not answer in time. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}

function answerOf(credential: Credential | null): WebAuthnAnswer {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('No passkey was chosen', 'NotAllowedError');
  return credential.toJSON() as unknown as WebAuthnAnswer;
}
