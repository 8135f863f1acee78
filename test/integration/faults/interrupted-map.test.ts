import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MapView } from '../../../src-main/contract/schemas/map.ts';
import type { ProjectionJob } from '../../../src-main/core/ports/projection.ts';
import { projectRows } from '../../../src-main/infra/projection/project-rows.ts';
import { type Api, until } from '../../support/api.ts';
import { noteFault } from '../../support/fault-count.ts';
import { writeImages } from '../../support/images.ts';
import { serve } from '../../support/serve.ts';
import { killedBefore } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';
import { projectionJob } from '../../unit/projection/make-projection.ts';
import { bunches } from '../../unit/vectors/make-vectors.ts';

const PROJECT_ROWS = new URL('../../../src-main/infra/projection/project-rows.ts', import.meta.url).href;
const PUBLISHING = /INSERT INTO meta.*projection:looks:IMAGES/s;
const IMAGES = 20;

/** Computes a map in a process that kills itself half way. @returns The signal that ended the process. */
function killedHalfWay(job: ProjectionJob): Promise<NodeJS.Signals | null> {
  const script = `
    import { projectRows } from ${JSON.stringify(PROJECT_ROWS)};
    const onProgress = (fraction) => fraction >= 0.5 && process.kill(process.pid, 'SIGKILL');
    await projectRows(JSON.parse(process.argv[1]), { onProgress });`;
  noteFault();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, JSON.stringify(job)]);
  return new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
}

describe('a map that is being computed', () => {
  it('leaves no incomplete map when its process is killed, and is the same the next time', async () => {
    const folder = await temporaryFolder();
    const vectors = bunches({ count: 2000, dim: 32, groups: 20, spread: 0.5, seed: 3 });
    const job = await projectionJob(folder, { vectors, dim: 32 });
    const undisturbed = { ...job, input: { ...job.input, file: join(folder, 'undisturbed') } };
    await projectRows(undisturbed, {});
    expect(await killedHalfWay(job)).toBe('SIGKILL');
    expect(existsSync(job.input.file)).toBe(false);
    await projectRows(job, {});
    expect(readFileSync(job.input.file).equals(readFileSync(undisturbed.input.file))).toBe(true);
  });

  it('is shown in its previous state until it is complete, even if the server is killed', async () => {
    const [data, images, later] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
    await writeImages(
      images,
      Array.from({ length: IMAGES }, (_, seed) => seed),
    );
    await writeImages(later, [IMAGES, IMAGES + 1]);
    await writeFile(join(later, 'notes.txt'), 'no image');
    /** Waits for `count` items on the map. Until then, the map must have exactly `before` items. */
    const mapped = (api: Api, id: string, before: number, count: number) =>
      until(
        async () => {
          const { body } = await api.get<MapView>(`/explore/${id}/map`);
          expect([before, count]).toContain(body.placed_items);
          return body;
        },
        ({ placed_items }) => placed_items === count,
      );

    const first = await serve(data, killedBefore(PUBLISHING));
    noteFault();
    const id = await first.api.createFromFolder('killed', images, { encoder: 'none' });
    expect((await first.server.ended).code).toBeNull();

    const second = await openData(data);
    const whole = await mapped(second.api, id, 0, IMAGES);
    expect(whole).toMatchObject({ map_id: 'looks-1', waiting_items: 0 });
    await second.api.atRest();
    await second.close();

    const third = await serve(data, killedBefore(PUBLISHING));
    noteFault();
    await third.api.post(`/dataset/${id}/add_media`, { s3_uri: later, auto_reindex: 'true' });
    expect((await third.server.ended).code).toBeNull();

    const { api } = await openData(data);
    const grown = await mapped(api, id, IMAGES, IMAGES + 2);
    // Items that were on the map keep their positions.
    expect(grown.map_id).toBe('looks-1');
    const bytes = (base64: string) => Buffer.from(base64, 'base64').subarray(0, IMAGES * 2);
    expect(bytes(grown.x).equals(bytes(whole.x))).toBe(true);
    expect(bytes(grown.y).equals(bytes(whole.y))).toBe(true);
  });
});
