import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ZipFile } from 'yazl';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { Api, json, until } from '../support/api.ts';
import { image, writeImages } from '../support/images.ts';
import { S3_CREDENTIALS, startS3Server } from '../support/s3-server.ts';
import { type Server, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Number of files, more than are read in one batch. */
const N = 80;
const run = promisify(execFile);

/** A server that can be killed and restarted on the same data. */
class Restartable {
  readonly #data: string;
  readonly #environment: Record<string, string>;
  #server: Server | undefined;
  api = new Api('');

  constructor(data: string, environment: Record<string, string>) {
    this.#data = data;
    this.#environment = environment;
  }

  async start(): Promise<void> {
    this.#server = await startServer(this.#data, this.#environment);
    this.api = new Api(this.#server.baseUrl);
  }

  async kill(): Promise<void> {
    await this.#server?.stop('SIGKILL');
  }
}

describe('one dataset with every source, with a kill -9 during each', () => {
  it('ends READY with exactly the expected items', { timeout: 240_000 }, async () => {
    const s3 = await startS3Server(await temporaryFolder());
    const server = new Restartable(await temporaryFolder(), { ...S3_CREDENTIALS, VITRINE_S3_ENDPOINT: s3.endpoint });
    onTestFinished(async () => {
      await server.kill();
      await s3.close();
    });
    await server.start();
    const files = (first: number) => Array.from({ length: N }, (_, index) => first + index);
    let expected = 0;

    /** Kills the server in the middle of the running task, restarts it and waits until the task has finished. */
    const survives = async (id: string, status: Dataset['status_new']) => {
      await until(
        () => server.api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`),
        ({ body }) =>
          body.tasks[0]?.status === 'COMPLETED' ||
          (body.tasks[0]?.status === 'RUNNING' && (body.tasks[0]?.done ?? 0) > 0),
      );
      await server.kill();
      await server.start();
      expected += N;
      expect((await server.api.waitFor(id, status)).n_images).toBe(expected);
    };

    // Uploads: the server is killed during a request, and the client sends the request again.
    const uploads = await writeImages(await temporaryFolder(), files(0));
    const { body: draft } = await server.api.get<{ dataset_id: string }>(
      '/ingestion/new_dataset?dataset_name=everything',
    );
    const id = draft.dataset_id;
    const { body: transaction } = await server.api.get<{ trans_id: number }>(`/ingestion/${id}/data_files`);
    await server.api.upload(id, transaction.trans_id, uploads.slice(0, 20));
    const cut = server.api.upload(id, transaction.trans_id, uploads.slice(20)).catch(() => 'cut');
    await server.kill();
    await cut;
    await server.start();
    for (const part of [uploads.slice(0, 24), uploads.slice(20)]) {
      expect((await server.api.upload(id, transaction.trans_id, part)).status).toBe(202);
    }
    expect((await server.api.post(`/ingestion/${id}/process_files/${transaction.trans_id}`)).status).toBe(202);
    await survives(id, 'READY');

    const add = async (fields: Record<string, string>) => {
      const answer = await server.api.post(`/dataset/${id}/add_media`, fields);
      expect(answer).toMatchObject({ status: 202 });
      await survives(id, 'PARTIAL INDEX');
    };
    const addArchive = async (file: string) => {
      const body = new FormData();
      body.append('archive', new Blob([await readFile(file)]), basename(file));
      expect((await server.api.call('POST', `/dataset/${id}/add_media`, { body })).status).toBe(202);
      await survives(id, 'PARTIAL INDEX');
    };

    const folder = await temporaryFolder();
    await writeImages(folder, files(1000));
    await add({ s3_uri: folder });

    const packed = await temporaryFolder();
    await writeImages(join(packed, 'content'), files(2000));
    await run('tar', ['-czf', join(packed, 'images.tar.gz'), '-C', join(packed, 'content'), '.']);
    await addArchive(join(packed, 'images.tar.gz'));

    const zip = new ZipFile();
    for (const file of await writeImages(join(packed, 'zipped'), files(5000)))
      zip.addFile(file, `zipped/${basename(file)}`);
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(join(packed, 'images.zip')));
    await addArchive(join(packed, 'images.zip'));

    for (const seed of files(3000)) await s3.put('bucket', `p/${seed}.jpg`, await image(seed));
    await add({ s3_uri: 's3://bucket/p' });

    const listed = await writeImages(await temporaryFolder(), files(4000));
    const list = join(await temporaryFolder(), 'list.parquet');
    await writeFile(
      list,
      Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'uri', data: listed, type: 'STRING' }] })),
    );
    await add({ s3_uri: list });

    const watched = await temporaryFolder();
    await writeImages(watched, files(6000));
    const watch = await server.api.call('POST', `/dataset/${id}/watched_folders`, json({ path: watched }));
    expect(watch.status).toBe(200);
    await until(
      () => server.api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_status=RUNNING`),
      ({ body }) => (body.tasks[0]?.done ?? 0) > 0,
    );
    await server.kill();
    await server.start();
    expected += N;
    await until(
      () => server.api.get<Dataset>(`/dataset/${id}`),
      ({ body }) => body.status_new === 'PARTIAL INDEX' && body.n_images === expected,
    );

    expect((await server.api.post(`/dataset/${id}/reindex`)).status).toBe(202);
    await server.kill();
    await server.start();
    expect(await server.api.waitFor(id, 'READY')).toMatchObject({ n_images: expected, n_file_errors: 0 });
  });
});
