import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { Vitrine } from '../../../clients/typescript/index.ts';
import { atEnd } from '../../support/at-end.ts';
import { writeImages } from '../../support/images.ts';
import { missingAmong, type Need, needs } from '../../support/needs.ts';
import { repository } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/*
 * Builds the deb, installs it on this machine as dpkg does, runs the service's own command as the service's user, upgrades it and removes
 * it. Only where this changes nothing that somebody uses: as root, without a running systemd, and without an installed Vitrine.
 */
const DATA = '/var/lib/vitrine';
const CONFIGURATION = '/etc/vitrine/vitrine.conf';
const UNIT = '/usr/lib/systemd/system/vitrine.service';

function unsuitable(): Need {
  for (const program of ['dpkg-deb', 'dpkg', 'adduser', 'runuser']) {
    if (spawnSync(program, ['--version']).error) return `no ${program} to build and install a deb with`;
  }
  if (process.getuid?.() !== 0) return 'only root installs a deb';
  if (existsSync('/run/systemd/system')) return 'a deb is not installed on a machine with services';
  return existsSync(DATA) || existsSync(CONFIGURATION) ? 'Vitrine is installed here' : undefined;
}

const missing = missingAmong(unsuitable());
let folder: string;
let photos: string;

function build(version: string): string {
  execFileSync(
    process.execPath,
    ['tools/package/build-deb.ts', '--compression', 'none', '--version', version, '--out', folder],
    { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  return join(folder, `vitrine_${version}_${architecture}.deb`);
}

function dpkg(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('dpkg', args, {
    encoding: 'utf8',
  });
  expect(status, `${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
  return stdout + stderr;
}

/** Starts the command of the unit as its user, with the variables of its file, on a free port. */
async function startUnit(): Promise<{ vitrine: Vitrine; stop: () => Promise<void> }> {
  const unit = readFileSync(UNIT, 'utf8');
  const entryOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  expect(entryOf('EnvironmentFile')).toBe(`-${CONFIGURATION}`);
  const options = /^VITRINE_OPTIONS="(.*)"$/m.exec(readFileSync(CONFIGURATION, 'utf8'))?.[1] ?? '';
  const [variable = '', value = ''] = entryOf('Environment').split('=');
  const command = entryOf('ExecStart').replace('$VITRINE_OPTIONS', options.replace('2080', '0'));
  const child: ChildProcess = spawn('runuser', ['-u', entryOf('User'), '--', ...command.split(' ')], {
    cwd: '/',
    env: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      VITRINE_RECOMMENDED_ENCODER: 'declined',
      VITRINE_COMPUTE_PROCESSES: '1',
      [variable]: value,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { stdout } = child;
  if (stdout === null) throw new Error('no output');
  const said = await new Promise<string>((resolve) => createInterface({ input: stdout }).once('line', resolve));
  const [, baseUrl = ''] = /^vitrine listening on (\S+)$/.exec(said) ?? [];
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  atEnd(stop);
  return { vitrine: new Vitrine({ baseUrl }), stop };
}

beforeAll(async () => {
  if (missing !== undefined) return;
  folder = await temporaryFolder(atEnd);
  photos = join(folder, 'photos');
  await writeImages(photos, [1, 2, 3]);
  // The service's user reads what everybody may read.
  chmodSync(folder, 0o755);
  atEnd(() => {
    spawnSync('dpkg', ['--purge', 'vitrine']);
    execFileSync('rm', ['-rf', DATA]);
    spawnSync('deluser', ['--quiet', 'vitrine']);
  });
});

describe('the deb', needs(missing), () => {
  it('installs a service that makes datasets, and keeps them through an upgrade, a removal and a purge', async () => {
    dpkg('--install', build('0.0.1'));
    const { mode, uid } = statSync(DATA);
    expect(mode & 0o777).toBe(0o700);
    expect(uid).toBe(Number(execFileSync('id', ['-u', 'vitrine'], { encoding: 'utf8' })));
    expect(uid).not.toBe(0);
    const first = await startUnit();
    const made = await first.vitrine.index({ path: photos, name: 'Photos' });
    expect(made).toMatchObject({ status_new: 'READY', n_images: 3 });
    await first.stop();

    writeFileSync(
      CONFIGURATION,
      readFileSync(CONFIGURATION, 'utf8').replace('--port 2080', '--port 2080 --host 127.0.0.1'),
    );
    dpkg('--install', build('0.0.2'));
    expect(dpkg('--status', 'vitrine')).toContain('\nVersion: 0.0.2\n');
    expect(readFileSync(CONFIGURATION, 'utf8')).toContain('--host 127.0.0.1');
    const second = await startUnit();
    expect(await second.vitrine.findDataset('Photos')).toMatchObject({ id: made.id, n_images: 3 });
    await second.stop();

    dpkg('--remove', 'vitrine');
    expect(existsSync('/usr/lib/vitrine/out')).toBe(false);
    expect(existsSync(join(DATA, 'catalog.db'))).toBe(true);
    expect(existsSync(CONFIGURATION)).toBe(true);
    expect(dpkg('--purge', 'vitrine')).toContain('are kept');
    expect(existsSync(CONFIGURATION)).toBe(false);
    expect(existsSync(join(DATA, 'catalog.db'))).toBe(true);
  });
});

describe('the service', () => {
  const unit = readFileSync(join(repository, 'tools/package/debian/vitrine.service'), 'utf8');

  it('runs without rights that it does not need', () => {
    for (const line of [
      'User=vitrine',
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'ProtectHome=read-only',
      'PrivateTmp=yes',
      'CapabilityBoundingSet=',
      'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
      'SystemCallFilter=@system-service',
      'UMask=0077',
    ]) {
      expect(unit.split('\n'), line).toContain(line);
    }
  });
});
