import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DefaultTheme, UserConfig } from 'vitepress';

/*
 * The pages of this folder as a site, which the built program serves at /help/. It loads nothing from elsewhere, and it has no scripts
 * inside its pages, which the security policy of the server forbids.
 */
const BASE = '/help/';
const REPOSITORY = resolve(import.meta.dirname, '..', '..');
const INLINE_SCRIPT = /<script( id="[^"]*")?>([\s\S]*?)<\/script>/g;

const pages = (text: string, entries: Record<string, string>) => ({
  text,
  items: Object.entries(entries).map(([page, title]) => ({ text: title, link: `/${page}` })),
});

const sidebar = [
  pages('Start', { index: 'Getting started', install: 'Install', concepts: 'Concepts', comparison: 'Comparison' }),
  pages('Work', {
    'explore-and-vql': 'Explore and VQL',
    'duplicates-and-issues': 'Duplicates and issues',
    review: 'Review',
    'snapshots-and-backup': 'Snapshots and backup',
    'models-offline': 'Models, also offline',
  }),
  pages('Programs', {
    'api-cookbook': 'API cookbook',
    clients: 'Clients and command line',
    notebook: 'Notebook',
    mcp: 'Assistants (MCP)',
  }),
  pages('Run it', {
    'serving-a-team': 'Serving a team',
    scale: 'Beyond one machine',
    settings: 'Settings',
    'data-layout': 'Data layout',
    privacy: 'Privacy',
    troubleshooting: 'Troubleshooting',
  }),
];

/** What the site adds to VitePress. @param outDir Folder of the built site. */
export function helpSite(outDir: string) {
  /** Puts scripts that are inside a page into files of their own. */
  const transformHtml = (html: string): string =>
    html.replace(INLINE_SCRIPT, (_whole, id: string | undefined, script: string) => {
      const name = `assets/inline-${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`;
      mkdirSync(join(outDir, 'assets'), { recursive: true });
      writeFileSync(join(outDir, name), script);
      return `<script${id ?? ''} src="${BASE}${name}"></script>`;
    });
  return { sidebar, transformHtml };
}

const outDir = join(REPOSITORY, 'out', 'renderer', 'help');
const { transformHtml } = helpSite(outDir);

const config: UserConfig<DefaultTheme.Config> = {
  title: 'Vitrine',
  description: 'Datasets of images and videos that you can see, search, clean, version and share.',
  base: BASE,
  outDir,
  cacheDir: join(REPOSITORY, 'node_modules', '.cache', 'vitepress'),
  srcExclude: ['developer/**', 'decisions/**'],
  rewrites: { 'getting-started.md': 'index.md' },
  // Sources and pages for developers are in the repository alone.
  ignoreDeadLinks: [/^http:\/\/localhost/, /developer\/|decisions\/|\.\.\/|SECURITY/],
  metaChunk: true,
  markdown: { theme: { light: 'github-light', dark: 'github-dark' } },
  transformHtml,
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar,
  },
};

export default config;
