import { randomBytes } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Api } from '../support/api.ts';
import { image } from '../support/images.ts';
import { startDrainingServer } from './draining-server.ts';
import { startMeasuredServer } from './measured-server.ts';
import { median, round, seconds } from './timing.ts';

/** Sizes of photos from phones and of thumbnails, in bytes. Each file is an image followed by random bytes, which decoders ignore. */
const SIZES = [
  { bytes: 7_000, files: 4_000 },
  { bytes: 500_000, files: 400 },
];
const FILES_PER_REQUEST = 50;
const REQUESTS_AT_ONCE = 4;
const ROUNDS = 3;

interface Figures {
  files: number;
  bytes_per_file: number;
  requests_at_once: number;
  mib_per_s: number;
  files_per_s: number;
  bare_write_mib_per_s: number;
  /** Relative to a bare write of the same bytes, one file after the other; the median of the rounds. */
  ratio: number;
  /** Throughput of the same requests to a server that discards them, which is the limit of loopback and the client. */
  bare_loopback_mib_per_s: number;
  of_loopback: number;
}

/** Measures uploads over loopback against a bare write of the same files to the same disk. */
export async function measureUploads(folder: string): Promise<Figures[]> {
  const server = await startMeasuredServer(join(folder, 'data'));
  const drain = await startDrainingServer();
  try {
    const api = new Api(server.baseUrl);
    const draining = new Api(drain.base_url);
    const figures: Figures[] = [];
    for (const size of SIZES) {
      for (const atOnce of [1, REQUESTS_AT_ONCE]) figures.push(await measureSize(api, draining, folder, size, atOnce));
    }
    return figures;
  } finally {
    drain.stop();
    await server.stop();
  }
}

async function measureSize(
  api: Api,
  draining: Api,
  folder: string,
  size: { bytes: number; files: number },
  atOnce: number,
): Promise<Figures> {
  const start = await image(1, 64, 48);
  const rounds: { bare_s: number; loopback_s: number; upload_s: number }[] = [];
  for (let nth = 0; nth < ROUNDS; nth += 1) {
    const contents = Array.from({ length: size.files }, () =>
      Buffer.concat([start, randomBytes(size.bytes - start.length)]),
    );
    const bareFolder = join(folder, `bare-${size.bytes}-${atOnce}-${nth}`);
    await mkdir(bareFolder);
    const bareS = await seconds(async () => {
      for (const [index, content] of contents.entries()) {
        const file = await open(join(bareFolder, String(index)), 'w');
        await file.writeFile(content);
        await file.close();
      }
    });
    const loopbackS = await send(draining, '/', contents, atOnce);
    const path = await openTransaction(api, `${size.bytes} at ${atOnce}, ${nth}`);
    rounds.push({ bare_s: bareS, loopback_s: loopbackS, upload_s: await send(api, path, contents, atOnce) });
  }
  const uploadS = median(rounds.map((one) => one.upload_s));
  const mib = (size.bytes * size.files) / 2 ** 20;
  return {
    files: size.files,
    bytes_per_file: size.bytes,
    requests_at_once: atOnce,
    mib_per_s: round(mib / uploadS),
    files_per_s: Math.round(size.files / uploadS),
    bare_write_mib_per_s: round(mib / median(rounds.map((one) => one.bare_s))),
    ratio: round(median(rounds.map((one) => one.bare_s / one.upload_s))),
    bare_loopback_mib_per_s: round(mib / median(rounds.map((one) => one.loopback_s))),
    of_loopback: round(median(rounds.map((one) => one.loopback_s / one.upload_s))),
  };
}

/** Opens an upload transaction and returns its path. */
async function openTransaction(api: Api, name: string): Promise<string> {
  const { body: draft } = await api.get<{ dataset_id: string }>(`/ingestion/new_dataset?dataset_name=${name}`);
  const { body: transaction } = await api.get<{ trans_id: number }>(`/ingestion/${draft.dataset_id}/data_files`);
  return `/ingestion/${draft.dataset_id}/data_files/${transaction.trans_id}`;
}

/** Returns the seconds of the requests. Bodies are created in advance to exclude the client's own work as far as possible. */
async function send(api: Api, path: string, contents: readonly Buffer[], atOnce: number): Promise<number> {
  const boundary = 'vitrine-bench';
  const requests: Buffer[] = [];
  for (let first = 0; first < contents.length; first += FILES_PER_REQUEST) {
    const parts = contents.slice(first, first + FILES_PER_REQUEST).flatMap((content, index) => {
      const head = `Content-Disposition: form-data; name="files"; filename="${first + index}.jpg"`;
      return [
        Buffer.from(`--${boundary}\r\n${head}\r\nContent-Type: image/jpeg\r\n\r\n`),
        content,
        Buffer.from('\r\n'),
      ];
    });
    requests.push(Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]));
  }
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return seconds(async () => {
    const sender = async (): Promise<void> => {
      for (let body = requests.pop(); body !== undefined; body = requests.pop()) {
        const { status, text } = await api.call('POST', path, { body: new Uint8Array(body), headers });
        if (status !== 202) throw new Error(`the upload answered ${status}: ${text}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sender));
  });
}
