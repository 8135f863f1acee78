import { describe, expect, it } from 'vitest';
import { clientName } from '../../src-renderer/lib/client-name.ts';
import { newPassword } from '../../src-renderer/lib/new-password.ts';

describe('a session’s client', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0',
      'Edge, Windows',
    ],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Safari/604.1', 'Safari, iOS'],
    ['curl/8.5.0', 'curl'],
    ['', undefined],
  ])('%s is %s', (userAgent, name) => {
    expect(clientName(userAgent)).toBe(name);
  });
});

describe('a new password', () => {
  it('has 16 unambiguous characters, different each time', () => {
    const made = Array.from({ length: 200 }, newPassword);
    expect(made.every((password) => /^[a-km-np-zA-HJ-NP-Z2-9]{16}$/.test(password))).toBe(true);
    expect(new Set(made).size).toBe(200);
  });
});
