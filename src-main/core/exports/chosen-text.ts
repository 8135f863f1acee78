import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ChosenItems } from '../ports/exports.ts';

type Packed = { items: string; objects: string | null; n_items: number };

/**
 * Serializes row bitmaps as compressed text, which is small for few rows and for many: a selection of all of a million rows takes one
 * kilobyte.
 */
export function printChosen({ items, objects, n_items }: ChosenItems): string {
  const packed: Packed = { items: pack(items), objects: objects && pack(objects), n_items };
  return JSON.stringify(packed);
}

export function readChosen(text: string): ChosenItems {
  const { items, objects, n_items } = JSON.parse(text) as Packed;
  return { items: unpack(items), objects: objects === null ? null : unpack(objects), n_items };
}

function pack(words: Uint32Array): string {
  return deflateRawSync(new Uint8Array(words.buffer, words.byteOffset, words.byteLength)).toString('base64');
}

function unpack(text: string): Uint32Array {
  const bytes = inflateRawSync(Buffer.from(text, 'base64'));
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}
