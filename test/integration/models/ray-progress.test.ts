import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { needs } from '../../support/needs.ts';
import { python, pythonWith } from '../../support/python.ts';
import { rayEnvironment, startRayCluster } from '../../support/ray-cluster.ts';
import { repository } from '../../support/server.ts';

/** Prints on which nodes the progress was counted: Ray places most actors at random. */
const PROGRAM = `
import ray, results

ray.init()
here = ray.get_runtime_context().get_node_id()
for _ in range(6):
    with results.reported(1) as progress:
        node = ray.get(progress.__ray_call__.remote(lambda counter: ray.get_runtime_context().get_node_id()))
        print("here" if node == here else "elsewhere")
`;

const real = needs(pythonWith('ray', 'pyarrow', 'aiohttp_cors', 'opencensus'));
it('counts the progress on the node of the program, so that the loss of another node does not stop it', {
  ...real,
  timeout: 600_000,
}, async () => {
  const cluster = await startRayCluster();
  try {
    const env = { ...rayEnvironment, RAY_ADDRESS: cluster.address };
    const cwd = join(repository, 'integrations', 'ray');
    const { stdout } = await promisify(execFile)(python, ['-c', PROGRAM], { cwd, env });
    expect(stdout.match(/^(here|elsewhere)$/gm)).toEqual(Array.from({ length: 6 }, () => 'here'));
  } finally {
    await cluster.close();
  }
});
