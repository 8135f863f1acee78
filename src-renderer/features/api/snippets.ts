export const SNIPPET_LANGUAGES = ['curl', 'python', 'typescript'] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

/** Key and secret that sign a script's tokens. */
export interface ApiKey {
  key: string;
  secret: string;
}

/** Placeholders when no key is known. */
export const SAMPLE_KEY: ApiKey = { key: 'YOUR_KEY', secret: 'YOUR_SECRET' };

/**
 * A script, ready to run, that lists the datasets of the service at `address`.
 *
 * @param key Key that signs the token. Without a key, no token is sent.
 */
export function snippetOf(language: SnippetLanguage, address: string, key: ApiKey | undefined): string {
  return key === undefined ? OPEN[language](address) : SIGNED[language](address, key);
}

const OPEN: Record<SnippetLanguage, (address: string) => string> = {
  curl: (address) => `curl -s ${address}/datasets`,
  python: (address) => `import requests

answer = requests.get("${address}/datasets", timeout=30)
answer.raise_for_status()
for dataset in answer.json():
    print(dataset["id"], dataset["display_name"])`,
  typescript: (address) => `const answer = await fetch('${address}/datasets');
for (const { id, display_name } of await answer.json()) console.log(id, display_name);`,
};

const SIGNED: Record<SnippetLanguage, (address: string, key: ApiKey) => string> = {
  curl: (address, { key, secret }) => `KEY='${key}'
SECRET='${secret}'
encode() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
NOW=$(date +%s)
HEADER=$(printf '{"alg":"HS256","typ":"JWT","kid":"%s"}' "$KEY" | encode)
CLAIMS=$(printf '{"sub":"%s","iat":%d,"exp":%d,"iss":"sdk"}' "$KEY" "$NOW" "$((NOW + 600))" | encode)
SIGNATURE=$(printf '%s.%s' "$HEADER" "$CLAIMS" | openssl dgst -sha256 -hmac "$SECRET" -binary | encode)
curl -s -H "Authorization: Bearer $HEADER.$CLAIMS.$SIGNATURE" ${address}/datasets`,
  python: (address, { key, secret }) => `# pip install pyjwt requests
import time

import jwt
import requests

KEY = "${key}"
SECRET = "${secret}"

now = int(time.time())
claims = {"sub": KEY, "iat": now, "exp": now + 600, "iss": "sdk"}
token = jwt.encode(claims, SECRET, algorithm="HS256", headers={"kid": KEY})
answer = requests.get("${address}/datasets", headers={"Authorization": f"Bearer {token}"}, timeout=30)
answer.raise_for_status()
for dataset in answer.json():
    print(dataset["id"], dataset["display_name"])`,
  typescript: (address, { key, secret }) => `// npm install jose
import { SignJWT } from 'jose';

const key = '${key}';
const secret = new TextEncoder().encode('${secret}');

const token = await new SignJWT()
  .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key })
  .setSubject(key)
  .setIssuer('sdk')
  .setIssuedAt()
  .setExpirationTime('10m')
  .sign(secret);
const answer = await fetch('${address}/datasets', { headers: { authorization: \`Bearer \${token}\` } });
for (const { id, display_name } of await answer.json()) console.log(id, display_name);`,
};
