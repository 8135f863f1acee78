import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Cover } from '../../src-renderer/components/Cover.tsx';

afterEach(() => vi.unstubAllGlobals());

it('keeps the image of a cover until that of its new address is there', async () => {
  const images: HTMLImageElement[] = [];
  const make = window.Image;
  vi.stubGlobal('Image', function Image() {
    const image = new make();
    image.decode = async () => undefined;
    Object.defineProperty(image, 'complete', { value: false });
    images.push(image);
    return image;
  });
  const loaded = (nth: number) =>
    act(async () => {
      images[nth]?.dispatchEvent(new Event('load'));
    });
  const cover = (sheet: string) => <Cover place={{ sheet, nth: 0, count: 4 }} tilePx={100} />;
  const shown = () => screen.getByTestId('cover').style.backgroundImage;

  const { rerender } = render(cover('/before?'));
  expect(shown()).toBe('');
  await loaded(0);
  expect(shown()).toContain('/before');
  rerender(cover('/after?'));
  expect(shown()).toContain('/before');
  await loaded(1);
  expect(shown()).toContain('/after');
});
