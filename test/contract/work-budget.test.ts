import { expect, it } from 'vitest';
import { addAccount, json, signIn, WITH_ACCOUNTS } from '../support/accounts.ts';
import { until } from '../support/api.ts';
import { startTestApi } from '../support/test-api.ts';

it('refuses the calls of an account beyond its limit, and not those of other accounts', async () => {
  const { api, data } = await startTestApi({ environment: { ...WITH_ACCOUNTS, VITRINE_CALLS_PER_USER: '4' } });
  await addAccount(data, { username: 'eager', role: 'viewer' });
  await addAccount(data, { username: 'other', role: 'viewer' });
  const [eager, other] = [await signIn(api, 'eager'), await signIn(api, 'other')];
  // Hashing a password takes some tens of milliseconds, and only two hashes are computed at once.
  const change = () =>
    eager.call('PUT', '/account/password', json({ current_password: 'not mine', password: 'a new password' }));
  const answers = Array.from({ length: 12 }, change);
  expect((await other.get('/account')).status).toBe(200);
  const refused = (await Promise.all(answers)).filter(({ body }) => JSON.stringify(body).includes('calls running'));
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers } of refused) {
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('1');
  }
  await until(
    () => eager.get('/account'),
    ({ status }) => status === 200,
  );
});
