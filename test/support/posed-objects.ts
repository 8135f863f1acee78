import sharp from 'sharp';
import { seeded } from './images.ts';

const [WIDTH, HEIGHT] = [640, 480];
/** Maximum shift in pixels of parts that all objects of a kind have at the same place. */
const SHIFT_PX = 4;
const GREYS = ['#1c1c1e', '#3a3c40', '#63666b', '#8e9298', '#b9bdc2'];

/** Draws random values for one object. */
interface Pen {
  /** Random number between two bounds. */
  between(low: number, high: number): number;
  grey(): string;
  /** Whether the object has an optional part. */
  has(): boolean;
  /** Position near a common one. */
  near(x: number, y: number): [x: number, y: number];
}

const circle = (x: number, y: number, radius: number, paint: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" ${paint}/>`;
const path = (d: string, paint: string) => `<path d="${d}" ${paint}/>`;
const fill = (colour: string) => `fill="${colour}"`;
const line = (colour: string, px: number) =>
  `fill="none" stroke="${colour}" stroke-width="${px}" stroke-linecap="round"`;
const series = (n: number, make: (nth: number) => string) =>
  Array.from({ length: Math.round(n) }, (_, nth) => make(nth)).join('');

function wheel({ between, grey, has }: Pen, x: number, y: number, radius: number): string {
  const nSpokes = between(3, 18);
  const [colour, px, start] = [grey(), between(1.5, 6), between(0, 6)];
  const spokes = series(nSpokes, (nth) => {
    const turn = start + (nth / Math.round(nSpokes)) * 2 * Math.PI;
    return path(`M${x} ${y} L${x + radius * Math.cos(turn)} ${y + radius * Math.sin(turn)}`, line(colour, px));
  });
  const brake = has() ? circle(x, y, radius * between(0.35, 0.6), line(grey(), between(2, 7))) : '';
  return `${spokes}${circle(x, y, radius, line('#1c1c1e', between(9, 16)))}${brake}${circle(x, y, between(5, 14), fill(grey()))}`;
}

function motorbike(pen: Pen): string {
  const { between, grey, has, near } = pen;
  const [[backX, backY], [frontX, frontY]] = [near(165, 345), near(475, 345)];
  const [seatX, seatY] = near(230, 215);
  const [headX, headY] = near(420, 175);
  const tank = `M${seatX + 60} ${seatY + between(0, 15)} C${seatX + 90} ${between(130, 180)} ${headX - 60} ${between(130, 170)}
    ${headX - 10} ${headY + between(0, 25)} L${between(360, 390)} ${between(225, 255)} Z`;
  const seat = `M${seatX + 70} ${seatY} Q${seatX + 20} ${seatY + between(5, 35)} ${seatX - between(20, 70)} ${seatY - between(0, 45)}
    L${seatX - between(10, 60)} ${seatY + between(15, 35)} L${seatX + 60} ${seatY + between(25, 45)} Z`;
  const [engineX, engineY, engineW, engineH] = [
    between(255, 285),
    between(250, 280),
    between(70, 115),
    between(55, 90),
  ];
  const fins = series(between(3, 9), (nth) =>
    path(`M${engineX} ${engineY + 8 + nth * between(7, 10)} h${engineW}`, line(grey(), between(2, 4))),
  );
  const exhaust = `M${engineX + 40} ${engineY + engineH} C${between(230, 260)} ${between(360, 390)} ${between(200, 240)} ${between(330, 380)}
    ${between(90, 150)} ${between(300, 370)}`;
  const fairing = has()
    ? path(
        `M${headX} ${headY} L${between(440, 480)} ${between(190, 220)} L${between(420, 450)} ${between(290, 330)} L${between(340, 380)} ${between(260, 310)} Z`,
        fill(grey()),
      )
    : '';
  return [
    wheel(pen, backX, backY, between(74, 82)),
    wheel(pen, frontX, frontY, between(74, 82)),
    path(
      `M${backX} ${backY} L${engineX} ${engineY + engineH} L${headX} ${headY} L${seatX} ${seatY} Z`,
      line(grey(), between(5, 11)),
    ),
    path(`M${headX} ${headY} L${frontX} ${frontY}`, line(grey(), between(8, 16))),
    `<rect x="${engineX}" y="${engineY}" width="${engineW}" height="${engineH}" rx="${between(2, 20)}" ${fill(grey())}/>`,
    fins,
    path(exhaust, line(grey(), between(8, 20))),
    path(seat, fill(grey())),
    path(tank, fill(grey())),
    fairing,
    path(
      `M${headX} ${headY} q${between(-50, 0)} ${between(-60, -30)} ${between(-60, -20)} ${between(-40, -10)}`,
      line('#1c1c1e', between(4, 9)),
    ),
    circle(headX + between(10, 25), headY + between(5, 25), between(12, 24), fill(grey())),
    has()
      ? path(`M${frontX - 80} ${frontY - 30} A85 85 0 0 1 ${frontX + 60} ${frontY - 60}`, line(grey(), between(6, 14)))
      : '',
  ].join('');
}

function aeroplane({ between, grey, has, near }: Pen): string {
  const [noseX, noseY] = near(560, 250);
  const [tailX, tailY] = near(80, 225);
  const depth = between(34, 46);
  const body = `M${noseX} ${noseY} C${noseX - 40} ${noseY - depth} ${noseX - 80} ${noseY - depth} ${noseX - 120} ${noseY - depth}
    L${tailX + 60} ${tailY - 20} L${tailX} ${tailY} L${tailX + 90} ${noseY + depth - 5} L${noseX - 90} ${noseY + depth} Z`;
  const fin = `M${tailX + between(5, 25)} ${tailY} L${tailX + between(-30, 20)} ${between(110, 150)} h${between(25, 60)}
    L${tailX + between(90, 150)} ${tailY - 20} Z`;
  const [windowsX, step, size] = [tailX + between(90, 140), between(11, 22), between(4, 9)];
  const windows = series((noseX - 110 - windowsX) / step, (nth) =>
    circle(windowsX + nth * step, noseY - between(8, 9), size / 2 + 1, fill('#1c1c1e')),
  );
  const stripe = has()
    ? path(
        `M${tailX + 40} ${noseY + between(0, 25)} L${noseX - 30} ${noseY + between(0, 20)}`,
        line(grey(), between(3, 14)),
      )
    : '';
  const wing = `M${between(300, 350)} ${noseY + 15} L${between(180, 260)} ${between(330, 390)} h${between(20, 45)} L${between(390, 430)} ${noseY + 20} Z`;
  const engines = series(between(0.6, 3.4), () => {
    const [x, y] = [between(230, 400), between(270, 320)];
    return `<rect x="${x}" y="${y}" width="${between(45, 80)}" height="${between(18, 32)}" rx="${between(4, 14)}" ${fill(grey())}/>
      ${circle(x + 5, y + 12, between(6, 12), fill('#1c1c1e'))}`;
  });
  const doors = series(
    between(1, 4),
    () => `<rect x="${between(140, 500)}" y="${noseY - 25}" width="12" height="28" ${line(grey(), 2)}/>`,
  );
  return [
    path(fin, fill(grey())),
    path(body, `fill="#d4d7da" stroke="#63666b" stroke-width="2"`),
    stripe,
    windows,
    doors,
    path(
      `M${tailX + 50} ${tailY + 10} l${between(-60, -20)} ${between(15, 45)} h25 l${between(30, 70)} ${between(-45, -20)} Z`,
      fill(grey()),
    ),
    engines,
    path(wing, `fill="${grey()}" stroke="#3a3c40" stroke-width="2"`),
    path(`M${noseX - 30} ${noseY - 22} l${between(-30, -15)} -6 v${between(8, 14)} h30 Z`, fill('#1c1c1e')),
    has() ? circle(tailX + between(30, 60), tailY - between(40, 70), between(10, 20), fill(grey())) : '',
  ].join('');
}

function shoe({ between, grey, has, near }: Pen): string {
  const [heelX, heelY] = near(120, 330);
  const [toeX, toeY] = near(530, 340);
  const upper = `M${heelX} ${heelY} L${heelX + 10} ${between(175, 200)} Q${between(190, 220)} ${between(190, 215)} ${between(240, 260)} ${between(170, 190)}
    C${between(320, 350)} ${between(240, 260)} ${between(420, 450)} ${between(255, 275)} ${toeX} ${toeY} Z`;
  const [laceX, laceStep] = [between(245, 270), between(15, 28)];
  const laces = series(between(3, 8), (nth) =>
    path(
      `M${laceX + nth * laceStep} ${215 + nth * laceStep * 0.55} l${between(20, 40)} ${between(-26, -10)}`,
      line(grey(), between(3, 7)),
    ),
  );
  const stripes = series(between(0.6, 4.4), (nth) =>
    path(
      `M${between(230, 330) + nth * 20} ${between(310, 330)} L${between(180, 300) + nth * 20} ${between(235, 270)}`,
      line(grey(), between(5, 14)),
    ),
  );
  const panels = series(3, () =>
    path(
      `M${between(130, 460)} ${between(290, 325)} q${between(20, 60)} ${between(-70, -20)} ${between(60, 110)} ${between(-5, 10)} Z`,
      fill(grey()),
    ),
  );
  const holes = series(between(0, 14), (nth) =>
    circle(between(420, 425) + (nth % 5) * 14, 290 + Math.floor(nth / 5) * 12, 3, fill('#1c1c1e')),
  );
  return [
    path(upper, `fill="#b9bdc2" stroke="#3a3c40" stroke-width="2"`),
    panels,
    stripes,
    laces,
    holes,
    path(
      `M${heelX - 5} ${heelY} L${toeX + 10} ${toeY} q12 ${between(20, 35)} -30 ${between(25, 40)} L${heelX + 5} ${heelY + between(28, 48)} Z`,
      fill(grey()),
    ),
    series(between(0, 16), (nth) =>
      path(`M${140 + nth * 24} ${heelY + 12} v${between(8, 20)}`, line(grey(), between(2, 5))),
    ),
    has()
      ? path(
          `M${heelX + 5} ${between(190, 230)} h${between(20, 50)} v${between(40, 90)} h-${between(15, 40)} Z`,
          fill(grey()),
        )
      : '',
  ].join('');
}

function chair({ between, grey, has, near }: Pen): string {
  const [left, top] = near(230, 60);
  const [right, seatY] = near(410, 265);
  const colour = grey();
  const slats = has()
    ? series(between(2, 7), (nth) =>
        path(`M${left + 18 + nth * between(22, 34)} ${top + 10} V${seatY}`, line(grey(), between(4, 12))),
      )
    : series(between(2, 6), (nth) =>
        path(`M${left} ${top + 15 + nth * between(26, 40)} H${right}`, line(grey(), between(5, 18))),
      );
  const legs = [left, right]
    .map((x) => path(`M${x} ${seatY} L${x + between(-18, 18)} 440`, line(colour, between(9, 18))))
    .join('');
  const rungs = series(between(0, 3.4), () =>
    path(`M${left} ${between(310, 420)} L${right} ${between(310, 420)}`, line(grey(), between(4, 9))),
  );
  const arms = has()
    ? path(
        `M${left} ${between(160, 200)} q${between(-40, -10)} 10 ${between(-30, 10)} ${between(60, 100)}`,
        line(grey(), between(8, 14)),
      )
    : '';
  return [
    slats,
    legs,
    path(
      `M${left} ${seatY} V${top} Q${(left + right) / 2} ${top - between(0, 40)} ${right} ${top} V${seatY}`,
      line(colour, between(9, 18)),
    ),
    rungs,
    `<rect x="${left - 12}" y="${seatY - 8}" width="${right - left + 24}" height="${between(18, 40)}" rx="${between(0, 16)}" ${fill(grey())}/>`,
    arms,
    has() ? series(4, (nth) => circle(left + 40 + nth * 35, seatY + 8, between(3, 7), fill('#1c1c1e'))) : '',
  ].join('');
}

const KINDS = { motorbike, aeroplane, shoe, chair };

/** Kinds of objects. All objects of a kind have one pose, one ground and the same greys. */
export const POSED_KINDS = Object.keys(KINDS) as (keyof typeof KINDS)[];

/**
 * PNG bytes of an object on plain ground, as in a catalogue. Two models of a kind differ only in structure: in their parts, not in pose,
 * ground or colours.
 */
export async function posedObject(kind: keyof typeof KINDS, model: number): Promise<Buffer> {
  const random = seeded(model * 7919 + POSED_KINDS.indexOf(kind));
  const between = (low: number, high: number) => low + (high - low) * random();
  const pen: Pen = {
    between,
    grey: () => GREYS[Math.floor(random() * GREYS.length)] as string,
    has: () => random() < 0.5,
    near: (x, y) => [x + between(-SHIFT_PX, SHIFT_PX), y + between(-SHIFT_PX, SHIFT_PX)],
  };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="#f4f4f2"/>${KINDS[kind](pen)}</svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}
