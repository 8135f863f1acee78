import { spawn } from 'node:child_process';

/*
 * Implements `npm run lint`: style, types and import rules, all at the same time, beside the commands that the arguments name. Prints the
 * output of each when it has finished. Fails if one of them fails.
 */

const CHECKS = [
  'biome check .',
  'tsc --noEmit --checkers 1',
  'depcruise --config .dependency-cruiser.cjs --cache node_modules/.cache/depcruise --cache-strategy content src-main src-preload src-renderer clients',
];

/** Runs a command of an installed package, which npm scripts have on their path. @returns Whether it succeeded. */
function run(command: string): Promise<boolean> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat([Buffer.from(`> ${command}\n`), ...output]));
      resolve(code === 0);
    });
  });
}

const succeeded = await Promise.all([...CHECKS, ...process.argv.slice(2)].map(run));
if (succeeded.includes(false)) process.exitCode = 1;
