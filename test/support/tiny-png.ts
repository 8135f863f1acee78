import { crc32, deflateSync } from 'node:zlib';
import { seeded } from './images.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Makes a PNG of coloured dots within microseconds, different for every seed. For tests with thousands of images. */
export function tinyPng(seed: number, sidePx = 16): Buffer {
  const random = seeded(seed);
  const rowBytes = 1 + sidePx * 3;
  const rows = Buffer.alloc(sidePx * rowBytes);
  for (let at = 0; at < rows.length; at += 1) rows[at] = at % rowBytes === 0 ? 0 : random() * 256;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(sidePx, 0);
  header.writeUInt32BE(sidePx, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), whole.length - 4);
  return whole;
}
