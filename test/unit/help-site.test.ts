import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { helpSite } from '../../docs/.vitepress/config.ts';
import { repository } from '../support/server.ts';

describe('the site of the documentation', () => {
  const site = helpSite(join(tmpdir(), 'unused'));

  it('lists every page for users, once, and no other', () => {
    const linked = site.sidebar.flatMap(({ items }) => items.map(({ link }) => link.slice(1)));
    const pages = readdirSync(join(repository, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => name.replace(/\.md$/, ''))
      .map((page) => (page === 'getting-started' ? 'index' : page));
    expect(linked.toSorted()).toEqual(pages.toSorted());
  });

  it('has no script inside a page, because the policy of the server forbids it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-help-'));
    const { transformHtml } = helpSite(folder);
    const page = transformHtml('<script id="a">run(1)</script><script type="module" src="/help/x.js"></script>');
    const [, name = ''] = /^<script id="a" src="\/help\/(assets\/inline-\w+\.js)"><\/script>/.exec(page) ?? [];
    expect(await readFile(join(folder, name), 'utf8')).toBe('run(1)');
    expect(page).toContain('<script type="module" src="/help/x.js"></script>');
  });

  it('has an address in every build', () => {
    expect(existsSync(join(repository, 'src-renderer', 'public', 'help', 'index.html'))).toBe(true);
  });
});
