import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src-main/core/settings/setting-declarations.ts';
import { de } from '../../src-renderer/i18n/de.ts';
import { DE_MODEL_DESCRIPTIONS } from '../../src-renderer/i18n/de-model-descriptions.ts';
import { DE_SETTING_DESCRIPTIONS } from '../../src-renderer/i18n/de-setting-descriptions.ts';
import { en } from '../../src-renderer/i18n/en.ts';
import { languageOf } from '../../src-renderer/i18n/language.ts';

const RENDERER = resolve(import.meta.dirname, '../../src-renderer');
const PLURAL = /_(zero|one|other)$/;

const source = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('i18n'))
  .map((file) => readFileSync(join(RENDERER, file), 'utf8'))
  .join('\n');

function textsOf(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, inner]) =>
    textsOf(inner, path === '' ? key : `${path}.${key}`),
  );
}

const texts = new Map(textsOf(en, ''));

/** Keys as the source writes them: whole, or as a pattern where part of a key is computed. */
const literals = new Set([...source.matchAll(/'([a-zA-Z]+(?:\.[\w-]+)+)'/g)].map(([, key]) => key ?? ''));
const patterns = [...source.matchAll(/`([a-zA-Z]+\.[^`]*\$\{[^`]*)`/g)].map(
  ([, key]) =>
    new RegExp(
      `^${(key ?? '')
        .replace(/\$\{[^}]*\}/g, '@')
        .replace(/[.()?]/g, '\\$&')
        .replaceAll('@', '[\\w.-]+')}$`,
    ),
);

const variablesOf = (text: string) => [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name).toSorted();

describe('the texts', () => {
  it('are all used', () => {
    const isUsed = (key: string) =>
      literals.has(key) ||
      patterns.some((pattern) => pattern.test(key)) ||
      // A whole group is read as an object, or by an index.
      literals.has(key.replace(/\.[^.]+$/, ''));
    expect([...texts.keys()].filter((key) => !isUsed(key.replace(PLURAL, '')))).toEqual([]);
  });

  it('exist for every key that the source names', () => {
    const groups = new Set(Object.keys(en));
    const exists = (key: string) =>
      [...texts.keys()].some((one) => one === key || one.replace(PLURAL, '') === key || one.startsWith(`${key}.`));
    const named = [...source.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key]) => key ?? '');
    expect(named.length).toBeGreaterThan(500);
    expect(named.filter((key) => !groups.has(key.split('.')[0] ?? '') || !exists(key))).toEqual([]);
  });

  it('have both plural forms, with the same variables', () => {
    for (const [key, text] of texts) {
      if (!PLURAL.test(key)) continue;
      const other = texts.get(key.replace(PLURAL, '_other'));
      expect(other, `${key} has no _other`).toBeDefined();
      expect(texts.has(key.replace(PLURAL, '_one')), `${key} has no _one`).toBe(true);
      const variables = variablesOf(text).filter((name) => name !== 'count');
      expect(variables, key).toEqual(variablesOf(other ?? '').filter((name) => name !== 'count'));
    }
  });

  it('begin with a capital on buttons and titles, and use typographic quotes', () => {
    const titles = [...texts].filter(([key]) => /(Title|^title|\.title)$/.test(key));
    expect(titles.length).toBeGreaterThan(50);
    expect(titles.filter(([, text]) => !/^[\p{Lu}“{0-9]/u.test(text))).toEqual([]);
    // Messages are also sentences of the API, which quotes with ASCII.
    const ofPages = [...texts].filter(([key]) => !key.startsWith('messages.'));
    expect(ofPages.filter(([, text]) => / "|" /.test(text) && !text.includes('{"'))).toEqual([]);
  });
});

describe('the German texts', () => {
  const german = new Map(textsOf(de, ''));

  it('have the same keys as the English ones', () => {
    expect([...german.keys()].toSorted()).toEqual([...texts.keys()].toSorted());
  });

  it('have the same placeholders, and none is left in English', () => {
    const unlike = [...texts].filter(
      ([key, text]) => variablesOf(text).join() !== variablesOf(german.get(key) ?? '').join(),
    );
    expect(unlike.map(([key]) => key)).toEqual([]);
    const isSentence = (text: string) => text.split(' ').length > 5;
    expect([...texts].filter(([key, text]) => isSentence(text) && german.get(key) === text)).toEqual([]);
  });

  it('use German quotes', () => {
    expect([...german].filter(([, text]) => /“[^„]*”| "/.test(text) && !text.includes('{"'))).toEqual([]);
  });

  it('describe every setting, and every model of the catalogue', () => {
    expect(Object.keys(DE_SETTING_DESCRIPTIONS).toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
    const { models } = JSON.parse(readFileSync(resolve(RENDERER, '../resources/models.json'), 'utf8')) as {
      models: { description: string }[];
    };
    const described = new Set(models.map(({ description }) => description));
    expect(Object.keys(DE_MODEL_DESCRIPTIONS).toSorted()).toEqual([...described].toSorted());
  });

  it('are chosen by the browser or by the user', () => {
    expect(languageOf('auto', ['fr-FR', 'de-AT', 'en'])).toBe('de');
    expect(languageOf('auto', ['fr'])).toBe('en');
    expect(languageOf('en', ['de'])).toBe('en');
  });
});
