import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { readServiceMode } from '../../src-main/core/accounts/service-mode.ts';
import { addressesOf, LOOPBACK, type NetworkOptions, readNetwork } from '../../src-main/http/network.ts';

const options = (fields: Partial<NetworkOptions>): NetworkOptions => ({
  host: undefined,
  tlsCert: undefined,
  tlsKey: undefined,
  ...fields,
});

describe('the address of a server', () => {
  it.each(['0.0.0.0', '::', '192.168.1.5', 'vitrine.example.org', '127.0.0.1.example.org'])(
    'is not %s while authentication is off',
    (host) => {
      expect(() => readNetwork(options({ host }), {}, false)).toThrow('DISABLE_AUTH=false');
      expect(readNetwork(options({ host }), {}, true).host).toBe(host);
    },
  );

  it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1', undefined])('may be %s in any case', (host) => {
    expect(readNetwork(options({ host }), {}, false).host).toBe(host ?? LOOPBACK.host);
  });

  it('is limited to known names, and to IP addresses only with authentication', () => {
    const environment = { ALLOWED_HOSTS: 'Vitrine.example.org, other', TRUST_PROXY: 'true' };
    expect(readNetwork(options({}), environment, true)).toMatchObject({
      names: ['vitrine.example.org', 'other'],
      allowsAddresses: true,
      trustProxy: expect.any(Function),
    });
    expect(readNetwork(options({}), { TRUST_PROXY: '10.0.0.1, loopback' }, false)).toMatchObject({
      names: [],
      allowsAddresses: false,
      trustProxy: '10.0.0.1,loopback',
    });
    const network = readNetwork(options({ host: '::' }), environment, true);
    expect(addressesOf(network, 80)).toEqual({ local: 'http://127.0.0.1:80', shown: 'http://vitrine.example.org:80' });
    expect(addressesOf({ ...LOOPBACK, host: '::1' }, 80).local).toBe('http://[::1]:80');
  });

  it.each([
    ['true', '192.0.2.7'],
    ['127.0.0.1', '192.0.2.7'],
    ['loopback 192.0.2.0/24', '10.9.9.9'],
    ['false', '127.0.0.1'],
    ['10.0.0.1', '127.0.0.1'],
  ])(
    'with TRUST_PROXY=%s uses the address that the proxy reports, not the one that callers send',
    async (trusted, address) => {
      const { trustProxy } = readNetwork(options({}), { TRUST_PROXY: trusted }, true);
      const server = fastify({ trustProxy });
      server.get('/', async ({ ip }) => ip);
      const headers = { 'x-forwarded-for': '10.9.9.9, 192.0.2.7' };
      expect((await server.inject({ url: '/', headers, remoteAddress: '127.0.0.1' })).body).toBe(address);
    },
  );

  it.each(['proxy.example.org', '2', '10.0.0.0/33', 'true 10.0.0.1'])('refuses TRUST_PROXY=%s', (trusted) => {
    expect(() => readNetwork(options({}), { TRUST_PROXY: trusted }, true)).toThrow('TRUST_PROXY must be');
  });

  it('needs a certificate and its key together, from existing files', () => {
    expect(() => readNetwork(options({ tlsCert: '/nowhere' }), {}, true)).toThrow('must be given together');
    const missing = options({ tlsCert: '/nowhere', tlsKey: '/nowhere' });
    expect(() => readNetwork(missing, {}, true)).toThrow('The file of --tls-cert cannot be read');
  });
});

describe('the service mode', () => {
  it.each([
    [{}, { authentication: false, on_prem: false, user_management: false, single_workspace: true }],
    [{ DISABLE_AUTH: 'False' }, { authentication: true, on_prem: false, user_management: false }],
    [
      { DISABLE_AUTH: '0', RUN_MODE: 'onprem' },
      { authentication: true, on_prem: true, user_management: true },
    ],
    [{ RUN_MODE: 'ONPREM' }, { authentication: false, on_prem: true, user_management: false }],
    [{ SINGLE_WORKSPACE_MODE: 'false' }, { single_workspace: false }],
  ])('is selected by %j', (environment, mode) => {
    expect(readServiceMode(environment)).toMatchObject(mode);
  });

  it.each([
    { DISABLE_AUTH: 'flase' },
    { DISABLE_AUTH: 'constructor' },
    { RUN_MODE: 'CLOUD' },
    { SINGLE_WORKSPACE_MODE: 'no' },
  ])('is not guessed from %j', (environment) => {
    expect(() => readServiceMode(environment)).toThrow();
  });
});
