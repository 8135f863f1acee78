import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { isSrgbProfile } from '../../src-main/infra/images/srgb-profile.ts';

async function profileOf(name: 'srgb' | 'p3'): Promise<Buffer> {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#a1b2c3' } })
    .withIccProfile(name)
    .jpeg()
    .toBuffer();
  const { icc } = await sharp(bytes).metadata();
  if (icc === undefined) throw new Error('the image carries no profile');
  return icc;
}

describe('isSrgbProfile', () => {
  it('recognises sRGB and distinguishes Display P3, which has the same curve', async () => {
    expect(isSrgbProfile(await profileOf('srgb'))).toBe(true);
    expect(isSrgbProfile(await profileOf('p3'))).toBe(false);
  });

  it('does not accept a plain gamma curve as sRGB', async () => {
    const profile = Buffer.from(await profileOf('srgb'));
    const at = profile.indexOf('para');
    expect(at).toBeGreaterThan(0);
    // Function type 3 contains gamma, a, b, c, d; these values make the curve x^2.2 throughout.
    [2.2, 1, 0, 1, 0].forEach((value, index) => {
      profile.writeInt32BE(Math.round(value * 65536), at + 12 + index * 4);
    });
    expect(isSrgbProfile(profile)).toBe(false);
  });

  it('rejects truncated and foreign bytes without failing', async () => {
    const profile = await profileOf('srgb');
    for (let length = 0; length < profile.length - 40; length += 20) {
      expect(isSrgbProfile(profile.subarray(0, length))).toBe(false);
    }
    expect(isSrgbProfile(Buffer.from('no profile'))).toBe(false);
  });
});
