import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { startI18n } from '../../src-renderer/i18n/start-i18n.ts';

/** Size of every element in CSS pixels. happy-dom computes no layout, and virtual lists render nothing in an empty box. */
const LAYOUT = { clientWidth: 1000, clientHeight: 800, offsetWidth: 1000, offsetHeight: 800 };

for (const [name, value] of Object.entries(LAYOUT)) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
}
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.setPointerCapture = () => undefined;
startI18n();

beforeEach(() => {
  localStorage.clear();
  window.location.hash = '#/';
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
