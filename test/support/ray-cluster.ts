import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { until } from './api.ts';
import { python } from './python.ts';

export interface RayCluster {
  /** Address of the dashboard, which has the job API. */
  url: string;
  /** Address for programs that connect to the cluster. */
  address: string;
  /** Kills all processes of the second node. */
  killSecondNode(): void;
  close(): Promise<void>;
}

/** Environment of Ray: programs find the interpreter that has its packages. */
export const rayEnvironment = {
  ...process.env,
  PATH: [dirname(python), process.env.PATH].join(delimiter),
  PYTHONDONTWRITEBYTECODE: '1',
  RAY_USAGE_STATS_ENABLED: '0',
  RAY_raylet_start_wait_time_s: '120',
};

/** A node takes 20 s to start, and several times as long beside other work. */
const START_MS = 240_000;

/**
 * Starts a Ray cluster of two nodes with one CPU each, as processes of this machine.
 * @param environment Further environment variables of the nodes.
 */
export async function startRayCluster(environment: NodeJS.ProcessEnv = {}): Promise<RayCluster> {
  // Not in TMPDIR: Ray puts sockets there, whose paths may have 107 bytes.
  const folder = await mkdtemp('/tmp/ray-');
  const [port, dashboardPort] = [await freePort(), await freePort()];
  // Each cluster has its own addresses of the loopback interface, because Ray has fixed ports there.
  const network = `127.${randomInt(1, 255)}.${randomInt(256)}`;
  const address = `${network}.2:${port}`;
  const url = `http://127.0.0.1:${dashboardPort}`;
  const node = async (...options: string[]) => {
    // The agent listens at all addresses. One that finds its port in use ends, and no job can be submitted.
    const agent = `--dashboard-agent-listen-port=${await freePort()}`;
    const always = ['start', '--block', '--num-cpus=1', '--object-store-memory=200000000', agent];
    // Its own process group, so that the processes of the node can be ended together.
    const how = { env: { ...rayEnvironment, ...environment }, detached: true, stdio: 'ignore' } as const;
    return spawn(join(dirname(python), 'ray'), [...always, ...options], how);
  };
  const nodes: ChildProcess[] = [];
  const end = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
  };
  const dashboard = ['--dashboard-host=127.0.0.1', `--dashboard-port=${dashboardPort}`, `--temp-dir=${folder}`];
  nodes.push(await node('--head', `--node-ip-address=${network}.2`, `--port=${port}`, ...dashboard));
  const nAlive = async () => {
    const answer = await fetch(`${url}/nodes?view=summary`).catch(() => undefined);
    return answer?.ok ? (await answer.text()).split('"state": "ALIVE"').length - 1 : 0;
  };
  const close = async () => {
    for (const child of nodes.toReversed()) await end(child);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await until(nAlive, (n) => n === 1, START_MS);
    nodes.push(await node(`--address=${address}`, `--node-ip-address=${network}.3`));
    await until(nAlive, (n) => n === 2, START_MS);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...{ url, address, close },
    killSecondNode: () => process.kill(-(nodes[1]?.pid ?? 0), 'SIGKILL'),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
