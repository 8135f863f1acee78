import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { EntityType } from '../../../contract/schemas/explore.ts';

/**
 * A pack is sealed at about this number of bytes. A copy of a dataset shares its packs by hard link: bytes that rows point to never change.
 */
const PACK_BYTES = 64 * 1024 * 1024;

/** Folder of the thumbnails of each entity type within a generation. */
export const THUMBNAIL_FOLDERS: Record<EntityType, string> = { IMAGES: 'thumbnails', OBJECTS: 'object-thumbnails' };

/** Meta keys: the number of packs that a generation shares with the generation it was copied from. */
export const SHARED_PACKS = { IMAGES: 'shared_packs:IMAGES', OBJECTS: 'shared_packs:OBJECTS' } as const;

/** Meta keys: the end position of regenerated thumbnails of existing rows. The thumbnail of the last row may end before it. */
export const REPAIRED_END = { IMAGES: 'repaired_thumbnails:IMAGES', OBJECTS: 'repaired_thumbnails:OBJECTS' } as const;

export interface ThumbnailSlot {
  thumbnail_pack: number;
  thumbnail_offset: number;
  thumbnail_bytes: number;
  /** CRC-32 of the bytes. */
  thumbnail_crc32: number;
}

/** A position in the packs of a generation. */
export interface PackPosition {
  pack: number;
  end: number;
}

/**
 * Thumbnails of a dataset, appended to a few large files instead of millions of small ones. The rows that point into a pack are
 * authoritative: bytes past the end of the last row's thumbnail were left by a crash and are overwritten.
 */
export class ThumbnailPacks {
  readonly #folder: string;
  readonly #sharedPacks: number;
  #pack: number;
  #end: number;
  #file: number | undefined;

  /**
   * @param last End of the bytes that rows point to.
   * @param sharedPacks Number of the first packs that another dataset shares; they are only read.
   */
  constructor(folder: string, last: PackPosition, sharedPacks: number) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
    this.#sharedPacks = sharedPacks;
    this.#pack = 0;
    this.#end = 0;
    this.#goTo(last);
  }

  append(bytes: Uint8Array): ThumbnailSlot {
    if (this.#end >= PACK_BYTES) this.#seal();
    const file = packFile(this.#folder, this.#pack);
    this.#file ??= openSync(file, this.#end === 0 || !existsSync(file) ? 'w' : 'r+');
    const slot: ThumbnailSlot = {
      thumbnail_pack: this.#pack,
      thumbnail_offset: this.#end,
      thumbnail_bytes: bytes.length,
      thumbnail_crc32: crc32(bytes),
    };
    writeAll(this.#file, bytes, this.#end);
    this.#end += bytes.length;
    return slot;
  }

  /** Discards thumbnails appended since `to`, when the caller's transaction did not commit. */
  rewind(to: PackPosition): void {
    this.close();
    this.#goTo(to);
  }

  position(): PackPosition {
    return { pack: this.#pack, end: this.#end };
  }

  sync(): void {
    if (this.#file !== undefined) fsyncSync(this.#file);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #goTo(place: PackPosition): void {
    const isShared = place.pack < this.#sharedPacks;
    this.#pack = isShared ? this.#sharedPacks : place.pack;
    this.#end = isShared ? 0 : place.end;
  }

  #seal(): void {
    this.sync();
    this.close();
    this.#pack += 1;
    this.#end = 0;
  }
}

/** Returns the path of a pack. */
export function packFile(folder: string, pack: number): string {
  return join(folder, `${String(pack).padStart(6, '0')}.pack`);
}

/** Returns the number of the pack at a path, or undefined for other files. */
export function packNumber(path: string): number | undefined {
  const number = /([0-9]{6})\.pack$/.exec(path)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Returns the later of two positions. */
export function laterPosition(a: PackPosition, b: PackPosition | undefined): PackPosition {
  return b && (b.pack > a.pack || (b.pack === a.pack && b.end > a.end)) ? b : a;
}

function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}
