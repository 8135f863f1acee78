#!/usr/bin/env node
// The command `vitrine` of a package. Older versions of Node cannot read the program, so that this file says what is needed.
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  process.stderr.write(
    `Vitrine needs Node 24; this is ${process.versions.node}. This brings it along: npx -p node@24 -p vitrine vitrine serve\n`,
  );
  process.exitCode = 1;
} else {
  // Without a command it serves, also with an address: `npx vitrine --port 8080`.
  const [, , first = '--port'] = process.argv;
  if (/^--(port|host)\b/.test(first)) process.argv.splice(2, 0, 'serve');
  await keepCompiledCode();
  await import('../out/main/vitrine.js');
}

/** Node keeps the compiled program in this folder, also for the threads and processes that it starts. This saves a fifth of a start. */
async function keepCompiledCode() {
  const [{ enableCompileCache }, { homedir }, { join }] = await Promise.all([
    import('node:module'),
    import('node:os'),
    import('node:path'),
  ]);
  const { NODE_COMPILE_CACHE, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  const inHome = process.platform === 'darwin' ? ['Library', 'Caches'] : ['.cache'];
  const caches = (process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME) || join(homedir(), ...inHome);
  process.env.NODE_COMPILE_CACHE = NODE_COMPILE_CACHE || join(caches, 'vitrine', 'code');
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
