import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Hints } from '../../src-renderer/features/explore/Hints.tsx';
import { fakeServer, renderPage } from '../support/render-page.tsx';

it('describes groups only where tiles are groups, and the keys that open and select', async () => {
  fakeServer({});
  const { unmount } = renderPage(<Hints isGrouped />);
  expect(screen.getByTestId('hint').textContent).toContain('Each tile is a group');
  unmount();
  renderPage(<Hints isGrouped={false} />);
  expect(screen.getByTestId('hint').textContent).toMatch(/^Click an image, or press Enter/);
  fireEvent.click(screen.getByTestId('next-hint'));
  expect(screen.getByTestId('hint').textContent).toMatch(/^Press P/);
});
