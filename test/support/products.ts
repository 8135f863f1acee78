import sharp from 'sharp';
import { seeded } from './images.ts';

const [WIDTH, HEIGHT] = [640, 480];
/** Number of corners of an outline, and of patches, stripes and small parts of a livery. */
const [CORNERS, PATCHES, STRIPES, PARTS] = [14, 5, 4, 16];

/**
 * PNG bytes of an object on plain ground, as in product shots.
 * @param outline Seed of the outline, of the pose and of what all objects of a kind have: two wheels and a contour.
 * @param livery Seed of the colours, stripes and small parts. Objects of one outline with other liveries are different objects.
 */
export async function product(outline: number, livery: number): Promise<Buffer> {
  const shape = seeded(outline);
  const corners = Array.from({ length: CORNERS }, (_, nth) => {
    const turn = (nth / CORNERS) * 2 * Math.PI;
    const reach = 0.6 + 0.4 * shape();
    return `${WIDTH * (0.5 + 0.38 * reach * Math.cos(turn))},${HEIGHT * (0.48 + 0.3 * reach * Math.sin(turn))}`;
  });
  const wheels = [0.3, 0.7].map((place) => {
    const [x, radius] = [WIDTH * (place + 0.08 * (shape() - 0.5)), HEIGHT * (0.08 + 0.05 * shape())];
    return `<circle cx="${x}" cy="${HEIGHT * 0.76}" r="${radius}" fill="#222"/>
      <circle cx="${x}" cy="${HEIGHT * 0.76}" r="${radius / 2}" fill="#bbb"/>`;
  });
  const ground = ['white', '#e8e8e8', '#cfd6dc'][Math.floor(shape() * 3)];
  const paint = seeded(livery * 7919 + outline);
  const colour = () => `rgb(${[0, 0, 0].map(() => Math.floor(paint() * 256)).join(',')})`;
  const x = () => WIDTH * (0.1 + 0.8 * paint());
  const y = () => HEIGHT * (0.2 + 0.55 * paint());
  const patches = Array.from(
    { length: PATCHES },
    () => `<ellipse cx="${x()}" cy="${y()}" rx="${20 + 60 * paint()}" ry="${15 + 40 * paint()}" fill="${colour()}"/>`,
  );
  const stripes = Array.from(
    { length: STRIPES },
    () => `<path d="M${x()} ${y()} L${x()} ${y()}" stroke="${colour()}" stroke-width="${4 + 18 * paint()}"/>`,
  );
  const parts = Array.from({ length: PARTS }, () => {
    const [side, turn] = [4 + 20 * paint(), Math.floor(90 * paint())];
    const [left, top] = [x(), y()];
    const at = `x="${left}" y="${top}" width="${side * 2}" height="${side}" fill="${colour()}"`;
    return `<rect ${at} transform="rotate(${turn} ${left} ${top})"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <clipPath id="body"><polygon points="${corners.join(' ')}"/></clipPath>
    <rect width="100%" height="100%" fill="${ground}"/>
    <g clip-path="url(#body)"><rect width="100%" height="100%" fill="${colour()}"/>
      ${patches.join('')}${stripes.join('')}${parts.join('')}</g>
    <polygon points="${corners.join(' ')}" fill="none" stroke="#333" stroke-width="3"/>${wheels.join('')}</svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}
