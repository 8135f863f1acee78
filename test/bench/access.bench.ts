import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SignJWT } from 'jose';
import { hashPassword } from '../../src-main/core/accounts/password.ts';
import { Api } from '../support/api.ts';
import { writeImages } from '../support/images.ts';
import { type Server, startServer } from '../support/server.ts';
import { median, quantile, round } from './timing.ts';

const IMAGES = 300;
const ROUNDS = 3;
const ROUND_MS = 1500;
/** Duration in milliseconds of the warm-up for each kind of request, because a server that has just started still compiles its code. */
const WARM_UP_MS = 1000;
const AT_ONCE = 8;
const USERS = 1000;
const WORKSPACES = 100;
const DATASETS = 10_000;
const CALLS = 300;
const PASSWORD = 'a password of the bench';
const NOW = new Date().toISOString();
const SHARED = { RUN_MODE: 'ONPREM', DISABLE_AUTH: 'false', SINGLE_WORKSPACE_MODE: 'false' };

type Headers = Record<string, string>;

/** Measures the cost of authentication and authorization: with and without authentication, and on a full and an empty server. */
export async function measureAccess(folder: string): Promise<unknown> {
  const images = join(folder, 'images');
  await mkdir(images);
  await writeImages(
    images,
    Array.from({ length: IMAGES }, (_, seed) => seed),
  );
  const data = join(folder, 'data');
  const dataset = await makeDataset(data, images);
  return { throughput: await measureThroughput(data, dataset), crowd: await measureCrowd(data, dataset) };
}

async function makeDataset(data: string, images: string): Promise<string> {
  const server = await startServer(data);
  try {
    const api = new Api(server.baseUrl);
    const id = await api.createFromFolder('bench', images, { encoder: 'none' });
    await api.waitFor(id, 'READY', 300_000);
    await api.atRest();
    return id;
  } finally {
    await server.stop();
  }
}

async function measureThroughput(data: string, dataset: string): Promise<unknown> {
  const paths = { get_dataset: `/dataset/${dataset}`, explore: `/explore/${dataset}?entity_type=IMAGES&page_number=0` };
  const figures: Record<string, Record<string, number[]>> = {};
  const note = (path: string, who: string, perSecond: number) => {
    const ofPath = figures[path] ?? {};
    ofPath[who] = [...(ofPath[who] ?? []), perSecond];
    figures[path] = ofPath;
  };
  const caller = await makeCaller(data, dataset);
  // Servers with and without authentication alternate, so that other load on the machine affects both alike.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const shared of [false, true]) {
      const server = await startServer(data, shared ? SHARED : {});
      try {
        const ways: Record<string, Headers> = shared ? await caller(server) : { off: {} };
        for (const address of Object.values(paths)) {
          for (const headers of Object.values(ways)) await perSecond(server, address, headers, WARM_UP_MS);
        }
        for (const [path, address] of Object.entries(paths)) {
          for (const [who, headers] of Object.entries(ways)) note(path, who, await perSecond(server, address, headers));
        }
      } finally {
        await server.stop();
      }
    }
  }
  return Object.fromEntries(
    Object.entries(figures).map(([path, { off = [], bearer = [], cookie = [] }]) => [
      path,
      {
        off_per_s: Math.round(median(off)),
        bearer_beside_off: round(median(bearer) / median(off)),
        cookie_beside_off: round(median(cookie) / median(off)),
      },
    ]),
  );
}

/** Measures the p95 of a member's requests on a server with many users, workspaces and datasets, and on a server with no other users. */
async function measureCrowd(data: string, dataset: string): Promise<unknown> {
  const caller = await makeCaller(data, dataset);
  const measure = async () => {
    const server = await startServer(data, SHARED);
    try {
      const { cookie = {} } = await caller(server);
      return {
        datasets_p95_ms: await p95(server, '/datasets', cookie),
        permission_p95_ms: await p95(server, `/datasets/${dataset}/creation-status`, cookie),
      };
    } finally {
      await server.stop();
    }
  };
  const empty = await measure();
  fillWithOthers(data);
  return { users: USERS, workspaces: WORKSPACES, datasets: DATASETS, empty, full: await measure() };
}

/**
 * Creates an administrator with a password who owns the dataset. Returns a function that signs in and returns the headers for each kind of
 * credential.
 */
async function makeCaller(
  data: string,
  dataset: string,
): Promise<(server: Server) => Promise<Record<string, Headers>>> {
  const catalog = new Database(join(data, 'catalog.db'));
  const [user, idpUser, name] = [randomUUID(), randomUUID(), `bench-${randomUUID()}`];
  insertUser(catalog, { user, idpUser, name, hash: await hashPassword(PASSWORD) });
  const { workspace_id } = catalog.prepare('SELECT workspace_id FROM workspace ORDER BY created_at').get() as {
    workspace_id: string;
  };
  catalog.prepare(`INSERT INTO workspace_member VALUES (?, ?, 'admin', ?)`).run(workspace_id, user, NOW);
  catalog.prepare('UPDATE dataset SET owner_id = ? WHERE dataset_id = ?').run(user, dataset);
  catalog.close();
  return async (server) => {
    const login = await fetch(`${server.baseUrl}/api/v1/login`, {
      method: 'POST',
      body: JSON.stringify({ username: name, password: PASSWORD }),
      headers: { 'content-type': 'application/json' },
    });
    const cookie = { cookie: (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
    const made = await fetch(`${server.baseUrl}/api/v1/api_credentials`, { headers: cookie });
    const { api_key, api_secret } = (await made.json()) as { api_key: string; api_secret: string };
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: api_key })
      .setSubject(api_key)
      .setIssuer('sdk')
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(new TextEncoder().encode(api_secret));
    return { bearer: { authorization: `Bearer ${token}` }, cookie };
  };
}

/** Adds other users with their own datasets, none of which the caller can see. */
function fillWithOthers(data: string): void {
  const catalog = new Database(join(data, 'catalog.db'));
  const columns = (catalog.pragma('table_info(dataset)') as { name: string }[]).map(({ name }) => name);
  const given = ['dataset_id', 'owner_id', 'workspace_id'];
  const copied = columns.map((column) => (given.includes(column) ? `@${column}` : column)).join(', ');
  const insertDataset = catalog.prepare(
    `INSERT INTO dataset (${columns.join(', ')}) SELECT ${copied} FROM dataset LIMIT 1`,
  );
  const { organization_id } = catalog.prepare('SELECT organization_id FROM organization').get() as {
    organization_id: string;
  };
  catalog.transaction(() => {
    const workspaces = Array.from({ length: WORKSPACES }, () => randomUUID());
    for (const [nth, id] of workspaces.entries()) {
      catalog.prepare('INSERT INTO workspace VALUES (?, ?, ?, ?, NULL)').run(id, organization_id, `w${nth}`, NOW);
    }
    const users = Array.from({ length: USERS }, (_, nth) => {
      const user = randomUUID();
      insertUser(catalog, { user, idpUser: randomUUID(), name: `other-${nth}`, hash: null });
      const workspace = workspaces[nth % WORKSPACES] ?? '';
      catalog.prepare(`INSERT INTO workspace_member VALUES (?, ?, 'editor', ?)`).run(workspace, user, NOW);
      return { user, workspace };
    });
    for (let nth = 0; nth < DATASETS; nth += 1) {
      const { user = '', workspace = '' } = users[nth % USERS] ?? {};
      insertDataset.run({ dataset_id: randomUUID(), owner_id: user, workspace_id: workspace });
    }
  })();
  catalog.close();
}

function insertUser(
  catalog: Database.Database,
  { user, idpUser, name, hash }: { user: string; idpUser: string; name: string; hash: string | null },
): void {
  catalog
    .prepare(
      `INSERT INTO idp_user (idp_user_id, username, enabled, password_hash, password_is_temporary, created_at)
       VALUES (?, ?, 1, ?, 0, ?)`,
    )
    .run(idpUser, name, hash, NOW);
  catalog
    .prepare('INSERT INTO user (user_id, email, name, created_at, idp_user_id) VALUES (?, ?, ?, ?, ?)')
    .run(user, `${name}@localhost`, name, NOW, idpUser);
}

/** Responses per second over several keep-alive connections. */
async function perSecond(server: Server, path: string, headers: Headers, durationMs = ROUND_MS): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const until = performance.now() + durationMs;
  let answered = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() < until) {
        await ask(server, path, headers, agent);
        answered += 1;
      }
    }),
  );
  agent.destroy();
  return (answered * 1000) / (performance.now() - begun);
}

async function p95(server: Server, path: string, headers: Headers): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const begun = performance.now();
    await ask(server, path, headers, agent);
    times.push(performance.now() - begun);
  }
  agent.destroy();
  return round(quantile(times, 0.95));
}

function ask(server: Server, path: string, headers: Headers, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(`${server.baseUrl}/api/v1${path}`, { headers, agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`));
      answer.resume().once('end', resolve);
    })
      .once('error', reject)
      .end();
  });
}
