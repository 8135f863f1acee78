import { describe, expect, it } from 'vitest';
import { LoginLimits } from '../../src-main/core/accounts/login-limits.ts';
import { assertGoodPassword } from '../../src-main/core/accounts/password-rules.ts';

/** Creates limits with a settable clock and settable known addresses. */
function limits() {
  const known = new Set<string>();
  let now = 0;
  const made = new LoginLimits(
    {
      has: (username: string, address: string) => known.has(`${username} ${address}`),
      add: (username: string, address: string) => void known.add(`${username} ${address}`),
    } as never,
    { ticksMs: () => now, now: () => now, iso: () => new Date(now).toISOString() },
  );
  const fail = (username: string, address: string) => {
    try {
      made.take(username, address);
      return 'tried';
    } catch {
      return 'delayed';
    }
  };
  return { made, fail, pass: (ms: number) => (now += ms) };
}

describe('attempts to sign in', () => {
  it('are delayed by account and address after five failures, longer after each', () => {
    const { fail, pass } = limits();
    for (let n = 0; n < 5; n += 1) expect(fail('ann', 'a')).toBe('tried');
    for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300]) {
      pass(seconds * 1000 - 1);
      expect(fail('ann', 'a'), `${seconds} s`).toBe('delayed');
      pass(1);
      expect(fail('ann', 'a'), `${seconds} s`).toBe('tried');
    }
    expect(fail('ann', 'b')).toBe('tried');
    expect(fail('bob', 'a')).toBe('tried');
  });

  it('by others do not delay an address from which the account has signed in', () => {
    const { made, fail, pass } = limits();
    made.take('Ann', 'home');
    made.succeed('Ann', 'home');
    for (let n = 0; n < 500; n += 1) {
      fail('ann', `attacker-${n}`);
      fail(`somebody-${n}`, 'home');
    }
    expect(fail('ann', 'home')).toBe('tried');
    expect(fail('ann', 'elsewhere')).toBe('delayed');
    pass(1000);
    expect(fail('ann', 'elsewhere')).toBe('tried');
  });

  it('are reset after a quarter of an hour, and by a success', () => {
    const { made, fail, pass } = limits();
    for (let n = 0; n < 6; n += 1) fail('ann', 'a');
    expect(fail('ann', 'a')).toBe('delayed');
    pass(15 * 60_000);
    expect(fail('ann', 'a')).toBe('tried');
    made.succeed('ann', 'a');
    for (let n = 0; n < 5; n += 1) expect(fail('ann', 'a')).toBe('tried');
  });
});

describe('a new password', () => {
  it.each(['password', 'PASSWORD123', '12345678', '          ', 'ann@example.org', 'Ann', 'qwertyuiop'])(
    'cannot be %j',
    async (password) => {
      await expect(assertGoodPassword(password, 'ann@example.org')).rejects.toThrow(/^password: /);
    },
  );

  it.each(['correct horse', 'ann likes long walks', 'Tr0ub4dor&3!x'])('may be %j', async (password) => {
    await expect(assertGoodPassword(password, 'ann@example.org')).resolves.toBeUndefined();
  });
});
