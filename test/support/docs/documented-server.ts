import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { drawSample } from '../../../src-main/infra/images/draw-sample.ts';
import { Api } from '../api.ts';
import { image, writeImages } from '../images.ts';
import { python } from '../python.ts';
import { repository, type Server, startServer } from '../server.ts';
import type { CodeLanguage } from './code-blocks.ts';

const PROGRAM = join(repository, 'out', 'main', 'vitrine.js');
const CLIENTS = join(repository, 'clients');
/** Each command that creates a dataset indexes these images and the objects in them, so there are a few of each scene. */
const IMAGES_PER_SCENE = 3;
const COMMAND_LIMIT_MS = 60_000;
/** Time limit in seconds for event streams, which never end on their own. curl exits with 28 at the limit. */
const STREAM_LIMIT_S = 2;

export interface CommandResult {
  code: number | null;
  output: string;
}

/**
 * A server with a dataset, against which the documentation's commands run as a reader would type them. Placeholder names in capitals and
 * example paths are replaced with real ones.
 */
export class DocumentedServer {
  readonly #folder: string;
  readonly #server: Server;
  readonly #api: Api;
  readonly #datasetId: string;
  #lastOutput = '';
  #taskId = '';

  private constructor(folder: string, server: Server, datasetId: string) {
    this.#folder = folder;
    this.#server = server;
    this.#api = new Api(server.baseUrl);
    this.#datasetId = datasetId;
  }

  /** @param folder An empty temporary folder. */
  static async start(folder: string): Promise<DocumentedServer> {
    const at = (name: string) => join(folder, name);
    await drawSample(at('photos'), IMAGES_PER_SCENE);
    await writeImages(at('more-photos'), [1, 2]);
    await writeImages(at('packed'), [3, 4]);
    await mkdir(at('backups'));
    await mkdir(at('work'));
    await writeImages(at('work'), [5], 'shoe');
    await run('mv shoe-00005.jpg shoe.jpg && tar -czf images.tar.gz -C ../packed .', at('work'));
    const server = await startServer(at('data'));
    const api = new Api(server.baseUrl);
    const datasetId = await api.createFromFolder('Photos', at('photos'));
    await api.waitFor(datasetId, 'READY');
    return new DocumentedServer(folder, server, datasetId);
  }

  stop(): Promise<number | null> {
    return this.#server.stop();
  }

  /** Waits until no task runs, then runs a command or a program exactly as printed on the page. */
  async run(command: string, language: CodeLanguage = 'sh'): Promise<CommandResult> {
    await this.#api.atRest(2 * COMMAND_LIMIT_MS);
    const typed = await this.#replacePlaceholders(command);
    if (language !== 'sh') return this.#runProgram(typed, language);
    const isStream = / -N /.test(typed);
    const limit = isStream ? `--max-time ${STREAM_LIMIT_S}` : '';
    // curl fails for statuses of 400 and above and prints their bodies.
    const curl = `curl() { command curl --silent --show-error --fail-with-body ${limit} "$@"; }`;
    const vitrine = `vitrine() { ${process.execPath} ${PROGRAM} "$@"; }`;
    const folder = typed.startsWith('npm ') ? repository : join(this.#folder, 'work');
    const { code, output } = await run(`${curl}\n${vitrine}\n${typed}`, folder, this.#environment());
    this.#lastOutput = output;
    const isDone = code === 0 || (isStream && code === 28);
    return { code: isDone ? 0 : code, output: isDone ? output : `${output}\n${await this.#loggedErrors()}` };
  }

  async #runProgram(text: string, language: 'ts' | 'py'): Promise<CommandResult> {
    const file = join(this.#folder, 'work', `program.${language}`);
    const client = pathToFileURL(join(CLIENTS, 'typescript', 'index.ts')).href;
    await writeFile(file, text.replaceAll("'vitrine-client'", `'${client}'`));
    const program = language === 'ts' ? process.execPath : python;
    return run(`${program} ${file}`, join(this.#folder, 'work'), this.#environment());
  }

  /** Clients find the server by its data folder. */
  #environment(): Record<string, string> {
    return { VITRINE_DATA: join(this.#folder, 'data'), PYTHONPATH: join(CLIENTS, 'python', 'src') };
  }

  async #loggedErrors(): Promise<string> {
    const log = await readFile(join(this.#folder, 'data', 'logs', 'vitrine.log'), 'utf8');
    return log
      .split('\n')
      .filter((line) => line.includes('"level":50'))
      .join('\n');
  }

  async #replacePlaceholders(command: string): Promise<string> {
    let text = command;
    for (const [name, value] of Object.entries(this.#placeholders())) {
      if (text.includes(name)) text = text.replaceAll(name, await value());
    }
    return text;
  }

  /** Placeholders of the pages and their real values, longer names first. */
  #placeholders(): Record<string, () => string | Promise<string>> {
    const dataset = `/dataset/${this.#datasetId}`;
    const first = async <T>(path: string, pick: (body: T) => string | undefined): Promise<string> => {
      const { body } = await this.#api.get<T>(path);
      return pick(body) ?? `nothing at ${path}`;
    };
    const snapshots = (at: number) =>
      first<{ snapshot_id: string }[]>(`${dataset}/snapshot`, (all) => all.at(at)?.snapshot_id);
    return {
      'http://127.0.0.1:2080': () => this.#server.baseUrl,
      '/path/to/data': () => join(this.#folder, 'data'),
      '/path/to/empty': () => join(this.#folder, 'restored'),
      '/media/drive/vitrine-backups': () => join(this.#folder, 'backups'),
      '/home/me/more-photos': () => join(this.#folder, 'more-photos'),
      '/home/me/photos': () => join(this.#folder, 'photos'),
      ANCHOR_MEDIA_ID: () => this.#uploadQueryImage(),
      FIELD_TASK_ID: () => this.#lastTaskId(),
      EXPORT_TASK_ID: () => first<{ exports: { id: string }[] }>(`${dataset}/exports`, ({ exports }) => exports[0]?.id),
      SNAPSHOT_ID: () => snapshots(0),
      ANOTHER_ID: () => snapshots(-1),
      DATASET_ID: () => this.#datasetId,
      BACKUP_ID: () => first<{ backups: { backup_id: string }[] }>('/backups', ({ backups }) => backups[0]?.backup_id),
      MEDIA_ID: () =>
        first<{ items: { media_id: string }[] }>(
          `/explore/${this.#datasetId}/items`,
          ({ items }) => items[0]?.media_id,
        ),
      VIEW_ID: () => first<{ views: { id: string }[] }>(`${dataset}/views`, ({ views }) => views[0]?.id),
      TAG_ID: () => first<{ id: string }[]>(`${dataset}/tags`, ([tag]) => tag?.id),
    };
  }

  async #uploadQueryImage(): Promise<string> {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(await image(9))]), 'query.jpg');
    const path = `/dataset/${this.#datasetId}/search-image-similarity?entity_type=IMAGES`;
    const answer = await this.#api.call<{ anchor_media_id: string }>('POST', path, { body });
    return answer.body.anchor_media_id;
  }

  /** Id of the task that the previous command created. Later commands of a block use the same task. */
  #lastTaskId(): string {
    this.#taskId = /"task_id":"([^"]+)","status":"INIT"/.exec(this.#lastOutput)?.[1] ?? this.#taskId;
    return this.#taskId;
  }
}

/** Runs a script in bash. Resolves with its result when it exits, whatever the exit code. */
function run(script: string, folder: string, environment: Record<string, string> = {}): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script], {
      cwd: folder,
      env: { ...process.env, ...environment },
      timeout: COMMAND_LIMIT_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
