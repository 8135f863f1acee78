import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExportTask } from '../../../src-main/contract/schemas/export.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { everything } from '../../../src-main/core/ports/query.ts';
import { ExportSource } from '../../../src-main/infra/exports/export-source.ts';
import { type Api, until } from '../../support/api.ts';
import { noteFault } from '../../support/fault-count.ts';
import { image } from '../../support/images.ts';
import { ISSUE_LIMITS } from '../../support/issue-limits.ts';
import { makeQueryDataset } from '../../support/query-dataset.ts';
import { serve } from '../../support/serve.ts';
import { killedBefore } from '../../support/server.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startTestApi } from '../../support/test-api.ts';
import { zipEntries } from '../../support/zip-entries.ts';

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

async function ready(api: Api, size?: { width: number; height: number }): Promise<string> {
  const images = await temporaryFolder();
  for (const seed of SEEDS) await writeFile(join(images, `${seed}.jpg`), await image(seed, size?.width, size?.height));
  const id = await api.createFromFolder('exported', images, { encoder: 'none' });
  await api.waitFor(id, 'READY');
  await api.atRest();
  return id;
}

function start(api: Api, id: string) {
  return api.get<ExportTask>(`/dataset/${id}/export_context_async?export_format=json&include_images=true`);
}

function ended(api: Api, { id, dataset_id }: ExportTask): Promise<ExportTask> {
  return until(
    async () => (await api.get<ExportTask>(`/dataset/${dataset_id}/export_status?export_task_id=${id}`)).body,
    ({ status }) => status === 'COMPLETED' || status === 'FAILED',
  );
}

async function filesOf(data: string): Promise<string[]> {
  return (await readdir(join(data, 'exports')).catch(() => [])).sort();
}

describe('an export', () => {
  it.each([
    ['while it is written', /UPDATE task SET step/],
    ['before it is recorded', /UPDATE export SET chosen/],
  ])(
    'that a kill interrupted %s is made by the next start, and only complete files exist',
    async (_when, statement) => {
      const data = await temporaryFolder();
      const first = await serve(data);
      const id = await ready(first.api);
      await first.server.stop();

      const second = await serve(data, killedBefore(statement));
      noteFault();
      await start(second.api, id).catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
      expect((await second.server.ended).code).toBeNull();

      const { api } = await serve(data);
      const { body } = await api.get<{ exports: ExportTask[] }>(`/dataset/${id}/exports`);
      const [one] = body.exports;
      if (!one) throw new Error('the export is gone');
      const made = await ended(api, one);
      expect(made).toMatchObject({ status: 'COMPLETED', entities_count: SEEDS.length });
      const zip = await (await fetch(made.download_uri ?? '')).arrayBuffer();
      expect((await zipEntries(Buffer.from(zip))).size).toBe(1 + SEEDS.length);
      expect(await filesOf(data)).toEqual([`${one.id}.zip`]);
    },
  );

  it('fails with a message on a full disk, leaves nothing, and succeeds when there is room again', async (context) => {
    const disk = await smallDisk(context, 32);
    const { api } = await startTestApi({ data: disk.data });
    // The task still has room in the catalog, but the images have none.
    const id = await ready(api, { width: 1600, height: 1200 });
    disk.fill(300);
    const { status, text, body } = await start(api, id);
    expect(status, text).toBe(200);
    const failed = await ended(api, body);
    expect(failed).toMatchObject({
      status: 'FAILED',
      result_message: expect.stringMatching(/disk .*full/),
      download_uri: null,
    });
    expect(await filesOf(disk.data)).toEqual([]);
    disk.free();
    await api.post(`/tasks/${failed.id}/retry`);
    expect(await ended(api, failed)).toMatchObject({ status: 'COMPLETED', entities_count: SEEDS.length });
  });

  it('whose folder cannot be created reports it, in its status and as a task', async () => {
    const { api, data } = await startTestApi();
    const id = await ready(api);
    await writeFile(join(data, 'exports'), 'in the way');
    const { body } = await start(api, id);
    const failed = await ended(api, body);
    expect(failed).toMatchObject({ status: 'FAILED', result_message: expect.stringContaining('in the place of') });
    const { tasks } = (await api.get<{ tasks: Task[] }>(`/tasks?task_type=EXPORT&dataset_id=${id}`)).body;
    expect(tasks).toMatchObject([{ status: 'FAILED', error_message: failed.result_message, can_retry: true }]);
  });

  it('leaves nothing when it is aborted or its dataset is deleted', async () => {
    const test = await startTestApi();
    const { api, data } = test;
    const id = await ready(api);
    const { body } = await start(api, id);
    const { status } = await api.post<Task>(`/tasks/${body.id}/abort`);
    if (status === 200) {
      expect(await ended(api, body)).toMatchObject({ status: 'FAILED', is_stopped: true, result_message: 'Stopped' });
      await until(
        () => filesOf(data),
        (files) => files.length === 0,
      );
    }
    const { body: again } = await start(api, id);
    await ended(api, again);
    expect((await api.call('DELETE', `/dataset/${id}`)).status).toBe(200);
    await until(
      () => filesOf(data),
      (files) => files.length === 0,
    );
    expect((await fetch(again.download_uri ?? `${api.baseUrl}/api/v1/export/${id}/${again.id}`)).status).not.toBe(200);
  });

  it('contains the state of the dataset when it started, whatever is written meanwhile', async () => {
    const nItems = 510;
    const { writer: store, reader, items } = await makeQueryDataset(await temporaryFolder(), 1, nItems);
    const tag = store.subjects.edits.addTag('later');
    const chosen = await reader.subjects.explore.choosePage(
      { plan: everything('IMAGES'), cluster_id: undefined },
      PAGE,
    );
    await reader.atOneMoment(async () => {
      const source = new ExportSource({
        items: reader.exported,
        request: { ...REQUEST, chosen },
        urlsOf: async (expected) => expected.map(() => ''),
        onPassed: () => undefined,
      });
      const seen: { labels: string[]; tags: string[] }[] = [];
      for await (const item of source.items(['labels', 'tags'])) {
        if (seen.length === 0) {
          const rows = { IMAGES: chosen.items };
          store.subjects.edits.apply({
            kind: 'TAGS',
            details: { added: ['later'], removed: [] },
            created_by: 'me',
            changes: [{ kind: 'tag', tag_id: tag.tag_id, holds: true, rows }],
          });
          store.subjects.edits.apply({
            kind: 'EXCLUSION',
            details: { added: [], removed: [] },
            created_by: 'me',
            changes: [{ kind: 'excluded', holds: true, rows }],
          });
        }
        seen.push({ labels: item.labels.map(({ label }) => label), tags: item.tags.map(({ name }) => name) });
      }
      expect(seen).toHaveLength(items.filter(({ excluded }) => !excluded).length);
      expect(seen.some(({ tags }) => tags.includes('later'))).toBe(false);
    });
  });
});

const PAGE = { offset: 0, limit: undefined };
const REQUEST = {
  dataset_id: 'd',
  generation: 1,
  format: 'json',
  is_archive: true,
  include_images: false,
  level: 2,
  split: null,
  limits: ISSUE_LIMITS,
  info: {
    schema_version: '1.1',
    dataset: 'd',
    description: '',
    dataset_url: '',
    export_time: '',
    dataset_creation_time: '',
    exported_by: '',
  },
} as const;
