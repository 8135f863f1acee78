import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generatedTables, withTable } from '../../tools/docs/generated-tables.ts';
import { atEnd } from '../support/at-end.ts';
import { type CodeBlock, codeBlocks } from '../support/docs/code-blocks.ts';
import { DocumentedServer } from '../support/docs/documented-server.ts';
import { missingAmong, needs } from '../support/needs.ts';
import { pythonWith } from '../support/python.ts';
import { repository } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PAGES = globSync(['*.md', 'docs/**/*.md', 'licenses/*.md'], { cwd: repository }).toSorted();
const MAX_README_LINES = 120;
const PROGRAMS = ['bash', 'curl', 'tar'];
const missing = PROGRAMS.find((program) => spawnSync(program, ['--version']).error !== undefined);

const read = (page: string) => readFileSync(join(repository, page), 'utf8');
const noPython = missingAmong(pythonWith('httpx', 'jwt', 'pandas'));
const blocksOf = (page: string): (CodeBlock & { page: string })[] =>
  codeBlocks(read(page)).map((block) => {
    const notRun = block.not_run ?? (block.language === 'py' ? noPython : undefined);
    return { ...block, page, ...(notRun !== undefined && { not_run: notRun }) };
  });
const pagesWithCommands = PAGES.filter((page) => blocksOf(page).some(({ not_run }) => not_run === undefined));

describe('commands of the documentation', needs(missing && `no ${missing} to run them with`), () => {
  let server: DocumentedServer;
  beforeAll(async () => {
    server = await DocumentedServer.start(await temporaryFolder(atEnd));
    atEnd(() => server.stop().then(() => undefined));
  });

  it.each(pagesWithCommands)('of %s succeed', async (page) => {
    for (const { commands, line, language } of blocksOf(page).filter(({ not_run }) => not_run === undefined)) {
      for (const command of commands) {
        const { code, output } = await server.run(command, language);
        expect(code, `${page}:${line}: ${command}\n${output.slice(0, 2000)}`).toBe(0);
      }
    }
  });
});

for (const { page, line, not_run } of PAGES.flatMap(blocksOf)) {
  if (not_run !== undefined) it(`commands at ${page}:${line}`, needs(not_run));
}

/** First group of each match of a pattern on all pages, with its page. */
const found = (pattern: RegExp) =>
  PAGES.flatMap((page) => [...read(page).matchAll(pattern)].map(([, text = '']) => ({ page, text })));

describe('pages of the documentation', () => {
  it('link to files that exist', () => {
    const targets = found(/\]\(([^)\s#]+)[^)]*\)/g).filter(({ text }) => !/^https?:/.test(text));
    expect(targets.filter(({ page, text }) => !existsSync(join(repository, dirname(page), text)))).toEqual([]);
  });

  it('name files and folders that exist', () => {
    const named = found(/`((?:src-[a-z]+|test|tools|docs|resources|licenses|\.ci)\/[^`\s*]*)`/g);
    expect(named.filter(({ text }) => !existsSync(join(repository, text)))).toEqual([]);
  });

  it('name npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(found(/npm run ([a-z:]+)/g).filter(({ text }) => !(text in scripts))).toEqual([]);
  });

  it.each(generatedTables(repository))('$file has the table "$name" as npm run generate:docs writes it', (table) => {
    const page = read(table.file);
    expect(page).toBe(withTable(page, table));
  });

  it('README is short', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
  });
});
