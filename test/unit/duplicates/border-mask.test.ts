import { expect, it } from 'vitest';
import { borderMask } from '../../../src-main/infra/duplicates/border-mask.ts';

const [WIDTH, HEIGHT] = [160, 120];

/** An image of which the pixels that `isPicture` accepts have a pattern, on ground of one level. */
function drawn(ground: number, isPicture: (x: number, y: number) => boolean) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(ground);
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1) if (isPicture(x, y)) data[y * WIDTH + x] = 100 + ((x * 7 + y * 13) % 60);
  return { width: WIDTH, height: HEIGHT, data };
}

const bars = drawn(0, (_x, y) => y >= 24 && y < 96);
const turned = drawn(0, (x, y) => Math.abs(x - 80 + 0.1 * (y - 60)) < 60 && Math.abs(y - 60 - 0.1 * (x - 80)) < 44);

it('black bars and the ground of a turned picture are a border, with the pixels beside them', () => {
  const mask = borderMask(bars);
  const at = (x: number, y: number) => mask?.[y * WIDTH + x];
  expect([at(80, 10), at(80, 26), at(80, 60), at(80, 110)]).toEqual([1, 1, 0, 1]);
  const around = borderMask(turned);
  expect([around?.[0], around?.[60 * WIDTH + 80]]).toEqual([1, 0]);
});

it('plain ground around an object is no border, and a picture without a border has none', () => {
  const isIn = (x: number, y: number) => Math.abs(x - 80) < 12 && Math.abs(y - 60) < 50;
  const cross = drawn(240, (x, y) => isIn(x, y) || isIn(y + 20, x - 20));
  expect(borderMask(cross)).toBeUndefined();
  const chequered = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => ((at + Math.floor(at / WIDTH)) % 2) * 120);
  expect(borderMask({ width: WIDTH, height: HEIGHT, data: chequered })).toBeUndefined();
});
