import { type JsonSpot, outlineJson, spotAt } from './json-outline.ts';
import {
  bodyTemplate,
  CARET,
  type Choice,
  filterNames,
  keysOf,
  memberTemplate,
  namedValues,
  type QueryValues,
} from './query-choices.ts';

/** Suggestions at a time. */
const MOST = 8;

/** What may be put in place of a part of the query. */
export interface Suggestion {
  /** What it is called. */
  text: string;
  count: number | undefined;
  start: number;
  end: number;
  insert: string;
  /** Where the caret goes, from the start of the query. */
  caret: number;
}

/** What may stand where the caret is, given what is typed there already; what begins with that comes first. */
export function suggest(text: string, caret: number, values: QueryValues): Suggestion[] {
  const outline = outlineJson(text);
  const spot = spotAt(outline, caret);
  if (spot === undefined) return [];
  const typed = typedBefore(text, spot, caret);
  const siblings = outline.spots.filter((one) => one !== spot && isSibling(one, spot)).map((one) => one.text);
  const isRoom = spot.text === '' && !/\S/.test(text.slice(spot.start, spot.end));
  const [start, end] = isRoom ? [caret, caret] : [spot.start, spot.end];
  return choicesAt(spot, values)
    .filter(({ choice }) => !siblings.includes(choice.value))
    .map(({ choice, insert }) => ({ choice, insert, fit: fitOf(choice, typed) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .slice(0, MOST)
    .map(({ choice, insert }) => {
      const whole = `${spot.needsComma ? ',' : ''}${insert}`;
      const inside = whole.indexOf(CARET);
      return {
        text: choice.name ?? choice.value,
        count: choice.count,
        start,
        end,
        insert: whole.replaceAll(CARET, ''),
        caret: start + (inside < 0 ? whole.length : inside),
      };
    });
}

interface Insertion {
  choice: Choice;
  insert: string;
}

function choicesAt({ kind, path }: JsonSpot, values: QueryValues): Insertion[] {
  const [, name, key] = path.map(String);
  if (kind === 'key' && path.length === 2)
    return filterNames().map((value) => filter(value, `"${value}":${bodyTemplate(value)}`));
  if (kind === 'key' && path.length === 3 && name !== undefined) {
    return keysOf(name).map((value) => ({ choice: { value }, insert: memberTemplate(name, value) }));
  }
  if (kind !== 'value') return [];
  if (path.length < 2) {
    const [before, after] = path.length === 0 ? ['[{', '}]'] : ['{', '}'];
    return filterNames().map((value) => filter(value, `${before}"${value}":${bodyTemplate(value)}${after}`));
  }
  if (name === undefined || key === undefined || path.length > 4) return [];
  const named = namedValues(name, key).map((value): Choice => ({ value }));
  const known = values[`${name}.${key}`] ?? [];
  const unknown = named.filter(({ value }) => !known.some((one) => one.value === value));
  return [...known, ...unknown].map((choice) => ({ choice, insert: JSON.stringify(choice.value) }));
}

function filter(value: string, insert: string): Insertion {
  return { choice: { value }, insert };
}

/** What was typed of a part, up to the caret. */
function typedBefore(text: string, { start }: JsonSpot, caret: number): string {
  return text
    .slice(start, caret)
    .replace(/^\s*"?/, '')
    .trimEnd()
    .toLowerCase();
}

/** Keys of one object and values of one list are there once. */
function isSibling(one: JsonSpot, spot: JsonSpot): boolean {
  return (
    one.kind === spot.kind &&
    one.path.length === spot.path.length &&
    spot.path.length > 2 &&
    one.path.slice(0, -1).every((part, at) => part === spot.path[at])
  );
}

/** 0: not at all. */
function fitOf({ value, name = value }: Choice, typed: string): number {
  const [said, written] = [name.toLowerCase(), value.toLowerCase()];
  if (said.startsWith(typed) || written.startsWith(typed)) return 2;
  return said.includes(typed) ? 1 : 0;
}
