import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addAccount, signIn, WITH_ACCOUNTS } from '../../support/accounts.ts';
import { Api } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { image, writeImages } from '../../support/images.ts';
import { repository, startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startTestApi } from '../../support/test-api.ts';
import { zipEntries } from '../../support/zip-entries.ts';

const PROGRAM = join(repository, 'out', 'main', 'vitrine.js');
let photos: string;
let data: string;
let api: Api;

beforeAll(async () => {
  const folder = await temporaryFolder(atEnd);
  [photos, data] = [join(folder, 'photos'), join(folder, 'data')];
  await writeImages(photos, [1, 2, 3, 4]);
  await writeFile(join(photos, 'copy.jpg'), await image(1));
  const black = sharp({ create: { width: 320, height: 240, channels: 3, background: '#010101' } });
  await black.jpeg().toFile(join(photos, 'black.jpg'));
  const server = await startServer(data);
  atEnd(() => server.stop());
  api = new Api(server.baseUrl);
});

/** Starts the server as an assistant does and connects to it. */
async function connect(...options: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const args = [PROGRAM, 'mcp', '--data', data, ...options];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  onTestFinished(() => client.close());
  return client;
}

async function call(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
  onprogress?: (progress: Progress) => void,
): Promise<CallToolResult> {
  const options = { timeout: 60_000, ...(onprogress && { onprogress }) };
  return (await client.callTool({ name, arguments: input }, undefined, options)) as CallToolResult;
}

/** The JSON that a tool returns. @throws Error with the text of a failure. */
async function read<T>(...of: Parameters<typeof call>): Promise<T> {
  const { content, isError } = await call(...of);
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  if (isError) throw new Error(text);
  return JSON.parse(text) as T;
}

interface Found {
  total: number;
  items: { media_id: string; file_name: string }[];
}

describe('the MCP server', () => {
  it('curates a dataset from a folder to an export', async () => {
    const client = await connect('--allow-changes');
    const steps: Progress[] = [];
    const created = await read<{ id: string; n_images: number }>(
      client,
      'create_dataset',
      { name: 'Raw', path: photos },
      (step) => steps.push(step),
    );
    expect(created).toMatchObject({ status: 'READY', n_images: 6 });
    expect(steps[0]).toMatchObject({ total: 100, message: 'INDEXING' });
    await api.atRest();
    const dataset = 'Raw';

    const { messages } = await client.getPrompt({ name: 'curate_dataset', arguments: { dataset } });
    expect(messages[0]?.content).toMatchObject({ type: 'text', text: expect.stringContaining('"Raw"') });
    expect(await read(client, 'describe_dataset', { dataset })).toMatchObject({ n_images: 6, status: 'READY' });
    await read(client, 'snapshot', { dataset, name: 'before curation' });

    const { groups } = await read<{ groups: { items: { media_id: string; file_path: string }[] }[] }>(
      client,
      'duplicates',
      { dataset },
    );
    expect(groups.map(({ items }) => items.map(({ file_path }) => file_path).toSorted())).toEqual([
      ['copy.jpg', 'image-00001.jpg'],
    ]);
    const mediaIds = groups.flatMap(({ items }) => items.map(({ media_id }) => media_id));
    const looked = await call(client, 'look', { dataset, media_ids: mediaIds });
    const pictures = looked.content.filter(({ type }) => type === 'image');
    expect(pictures).toHaveLength(2);
    const [picture] = pictures;
    const bytes = Buffer.from(picture?.type === 'image' ? picture.data : '', 'base64');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp' });
    expect(await read(client, 'exclude_duplicates', { dataset })).toMatchObject({ n_changed: 1 });

    const dark = await read<Found>(client, 'find', { dataset, issue: 'dark' });
    expect(dark.items.map(({ file_name }) => file_name)).toEqual(['black.jpg']);
    await read(client, 'exclude', { dataset, issue: 'dark' });
    const left = await read<Found>(client, 'find', { dataset, sort_by: 'name' });
    expect(left.total).toBe(4);

    const [first] = left.items;
    await read(client, 'tag', { dataset, media_ids: [first?.media_id], add: ['to review'] });
    await read(client, 'label', { dataset, media_ids: [first?.media_id], add: ['blobs'] });
    const tagged = await read<Found>(client, 'find', { dataset, tags: ['to review'], labels: ['blobs'] });
    expect(tagged.total).toBe(1);
    expect(await read(client, 'watch', { dataset, name: 'blobs', labels: ['blobs'] })).toMatchObject({ name: 'blobs' });

    await read(client, 'snapshot', { dataset, name: 'curated' });
    const { download_uri } = await read<{ download_uri: string }>(client, 'export', {
      dataset,
      format: 'coco',
      include_images: true,
    });
    const names = [...(await zipEntries(Buffer.from(await (await fetch(download_uri)).arrayBuffer()))).keys()];
    expect(names.filter((name) => name.endsWith('.jpg'))).toHaveLength(4);
  });

  it('offers no tool that changes anything unless allowed', async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name)).toContain('find');
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  });

  it('returns failures as text that a model can act on', async () => {
    const client = await connect();
    const failed = await call(client, 'find', { dataset: 'Nothing' });
    expect(failed).toMatchObject({ isError: true, content: [{ text: 'There is no dataset "Nothing"' }] });
  });

  it('edits nothing by a selection without ids and filters', async () => {
    const client = await connect('--allow-changes');
    await read(client, 'create_dataset', { name: 'Whole', path: photos });
    await expect(read(client, 'exclude', { dataset: 'Whole' })).rejects.toThrow(
      'Name media_ids or at least one filter',
    );
  });
});

it('has the rights of the credentials of each request over HTTP, and refuses web pages', async () => {
  const test = await startTestApi({ environment: WITH_ACCOUNTS });
  await addAccount(test.data, { username: 'ann', role: 'viewer' });
  const credentials = await (await signIn(test.api, 'ann')).get<{ api_key: string; api_secret: string }>(
    '/api_credentials',
  );
  const { api_key, api_secret } = credentials.body;
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--url', test.api.baseUrl, '--http', '0', '--allow-changes']);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const [line] = (await once(createInterface({ input: child.stderr }), 'line')) as [string];
  const url = line.replace('MCP server at ', '');
  const over = async (authorization?: string) => {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: authorization === undefined ? {} : { authorization } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as never);
    onTestFinished(() => client.close());
    return client;
  };
  const ann = await over(`Basic ${Buffer.from(`${api_key}:${api_secret}`).toString('base64')}`);
  expect(await read(ann, 'list_datasets')).toEqual({ datasets: [] });
  await expect(read(ann, 'create_dataset', { name: 'x', path: photos })).rejects.toThrow(/not allowed|permission|may/i);
  await expect(read(await over(), 'list_datasets')).rejects.toThrow(/Sign in/);

  const post = (headers: Record<string, string>) => fetch(url, { method: 'POST', headers, body: '{}' });
  expect((await post({ origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await fetch(url.replace('/mcp', '/other'))).status).toBe(404);
});
