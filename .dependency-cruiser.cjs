/** Who may import whom. Each rule is one row of the table in docs/developer/architecture.md. */

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const never = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const MAIN_ENTRIES = '^src-main/(core-process|desktop|headless|start|.*\\.worker)\\.ts$';
const PAGE_ENTRIES = '^src-(renderer/main\\.tsx|preload/preload\\.ts)$';

module.exports = {
  forbidden: [
    never('no-circular', 'no cycles', {}, { circular: true }),
    never(
      'reached-from-the-product',
      'every module is used by an entry: those of electron.vite.config.ts and the scripts of package.json',
      { path: MAIN_ENTRIES },
      { path: '^src-main/', pathNot: [MAIN_ENTRIES, '\\.d\\.ts$'], reachable: false },
    ),
    never(
      'reached-from-the-page',
      'every module is used by the page or the preload',
      { path: PAGE_ENTRIES },
      { path: '^src-(renderer|preload)/', pathNot: [PAGE_ENTRIES, '\\.d\\.ts$'], reachable: false },
    ),
    never(
      'tools-stay-outside',
      'the product loads the files that the generators in tools/ wrote',
      { path: '^src-' },
      { path: '^tools/' },
    ),
    never(
      'node-http-is-not-imported',
      '`process.getBuiltinModule` loads it without its WebSocket client: see [Note: Modules that load undici]',
      { path: '^src-main/' },
      { path: '^(node:)?http$', dependencyTypesNot: ['type-only'] },
    ),
    never(
      'contract-is-pure',
      'contract imports zod and itself only',
      { path: '^src-main/contract' },
      { pathNot: '^src-main/contract|(^|/)zod/' },
    ),
    never(
      'core-knows-no-outside',
      'core imports contract and core; infra implements its ports',
      { path: '^src-main/core/' },
      { path: '^src-main', pathNot: '^src-main/(contract|core)/' },
    ),
    never(
      'core-domain-repositories-are-private',
      "another domain's repository is reached through its service",
      { path: '^src-main/core/(?!ports/)([a-z-]+)/' },
      { path: '^src-main/core/(?!$1/)[a-z-]+/.*\\.repository\\.ts' },
    ),
    never(
      'compose-is-the-only-wiring',
      'compose imports contract, core and infra',
      { path: '^src-main/compose' },
      { path: '^src-main', pathNot: '^src-main/(compose|contract|core|infra)/' },
    ),
    never(
      'compose-is-for-hosts',
      'only an entry imports compose',
      { path: '^src-main/(contract|core|infra|http|ipc|shell)/' },
      { path: '^src-main/compose' },
    ),
    never(
      'infra-behind-ports',
      "infra imports contract types, core's ports and libraries",
      { path: '^src-main/infra' },
      { path: '^src-main/(core/(?!ports/)|http|ipc|shell)' },
    ),
    never(
      'adapters',
      'http and ipc import contract and core root files',
      { path: '^src-main/(http|ipc)' },
      { path: '^src-main/(core/(?!ports/)[^/]+/|infra|shell)' },
    ),
    never('http-not-ipc', 'the adapters do not know each other', { path: '^src-main/http' }, { path: '^src-main/ipc' }),
    never('ipc-not-http', 'the adapters do not know each other', { path: '^src-main/ipc' }, { path: '^src-main/http' }),
    never(
      'shell',
      'the shell imports electron, contract, ipc and port types',
      { path: '^src-main/shell' },
      { path: '^src-main/(core/(?!ports/|core\\.ts$)|infra|http)' },
    ),
    never(
      'preload',
      'the preload imports electron and contract types',
      { path: '^src-preload' },
      { path: '^src-(main/(?!contract)|renderer)' },
    ),
    never(
      'renderer',
      'the renderer imports the contract and UI libraries',
      { path: '^src-renderer' },
      { path: '^src-main/(?!contract)|^src-preload/(?!bridge)' },
    ),
    never(
      'renderer-no-node',
      'the renderer runs in a browser',
      { path: '^src-renderer' },
      { dependencyTypes: ['core'] },
    ),
    never(
      'renderer-features-apart',
      'a feature does not import a sibling',
      { path: '^src-renderer/features/([^/]+)/' },
      { path: '^src-renderer/features/', pathNot: '^src-renderer/features/$1/' },
    ),
    never(
      'fastify-only-in-http',
      'one owner a library',
      { pathNot: '^src-main/http' },
      { path: 'node_modules/(fastify|@fastify)/' },
    ),
    never(
      'electron-only-in-shell',
      'one owner a library',
      { pathNot: '^(src-main/(shell/|desktop\\.ts)|src-preload)' },
      { path: 'node_modules/electron/' },
    ),
    never(
      'native-only-in-infra',
      'one owner a library',
      { pathNot: '^src-main/infra' },
      { path: 'node_modules/(onnxruntime-node|sharp|better-sqlite3|chokidar)/' },
    ),
    never(
      'clients-apart',
      'the clients use the API: they import generated types and libraries, and nothing of the product',
      { path: '^clients' },
      { path: '^src-' },
    ),
    never(
      'product-knows-no-client',
      'the product does not import its clients',
      { path: '^src-' },
      { path: '^clients' },
    ),
    never(
      'client-package-stands-alone',
      'the TypeScript package is published by itself',
      { path: '^clients/typescript' },
      { path: '^clients/(?!typescript)' },
    ),
    never(
      'mcp-sdk-only-in-mcp',
      'one owner a library',
      { pathNot: '^clients/mcp' },
      { path: 'node_modules/@modelcontextprotocol/' },
    ),
    never('no-unresolvable', 'every import resolves', {}, { couldNotResolve: true, pathNot: `^(electron|node:.*)$` }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json', '.css'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
    exclude: { path: '\\.(css|svg|woff2)$|^clients/typescript/dist/' },
  },
};
