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
  await import('../out/main/vitrine.js');
}
