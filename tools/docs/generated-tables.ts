import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SETTING_NAMES, SETTINGS, type SettingDeclaration } from '../../src-main/core/settings/setting-declarations.ts';

/** A table of the documentation that is generated from the code. */
export interface GeneratedTable {
  /** Path in the repository. */
  file: string;
  /** Name in the marks around the table: `<!-- begin: NAME -->` and `<!-- end: NAME -->`. */
  name: string;
  text: string;
}

export function generatedTables(root: string): GeneratedTable[] {
  return [
    { file: 'docs/settings.md', name: 'settings', text: settingsTable() },
    { file: 'docs/developer/architecture.md', name: 'import rules', text: importTable(root) },
  ];
}

/** Returns the page with the table between its marks replaced. @throws Error when a mark is missing. */
export function withTable(page: string, { file, name, text }: GeneratedTable): string {
  const [begin, end] = [`<!-- begin: ${name} -->\n`, `<!-- end: ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`${file} lacks the marks of the table "${name}"`);
  return `${page.slice(0, from + begin.length)}${text}${page.slice(to)}`;
}

function settingsTable(): string {
  const rows = SETTING_NAMES.map((name) => {
    const declaration: SettingDeclaration = SETTINGS[name];
    return [`\`${name}\``, valuesOf(declaration), codeOf(declaration.default), declaration.description];
  });
  return table(['setting', 'values', 'default', 'meaning'], rows);
}

function valuesOf(declaration: SettingDeclaration): string {
  switch (declaration.type) {
    case 'boolean':
      return '`true`, `false`';
    case 'number':
      return numbersOf(declaration);
    case 'choice':
      return declaration.choices.map((choice) => codeOf(choice)).join(', ');
    case 'text':
      return declaration.form === 'free' ? 'text' : declaration.form;
  }
}

function numbersOf({ minimum, maximum, is_whole }: SettingDeclaration & { type: 'number' }): string {
  const kind = is_whole ? 'whole number' : 'number';
  return maximum === Number.MAX_SAFE_INTEGER ? `${kind} from ${minimum}` : `${kind} from ${minimum} to ${maximum}`;
}

const codeOf = (text: string) => (text === '' ? 'empty' : `\`${text}\``);

interface ImportRule {
  name: string;
  comment: string;
}

function importTable(root: string): string {
  const { forbidden } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
    forbidden: ImportRule[];
  };
  return table(
    ['rule', 'meaning'],
    forbidden.map(({ name, comment }) => [`\`${name}\``, comment]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}
