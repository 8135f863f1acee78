import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Axe {
  /** axe locates elements on the page only for the requested result types; locating them is most of its work. */
  run(options: {
    resultTypes: readonly ['violations'];
    runOnly?: readonly string[];
    rules: Record<string, { enabled: boolean }>;
  }): Promise<{ violations: Violation[] }>;
}

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** Rules whose result depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

export interface Checked {
  /** Also checks that targets have 24 × 24 px or enough space around (WCAG 2.2), which axe leaves out by default. */
  targets?: boolean;
  /** Checks nothing but colours: for a page that was checked in another theme, since themes differ in colours only. */
  onlyColours?: boolean;
}

/**
 * Returns the serious accessibility violations of the page after its animations have finished. Reduced motion stays on afterwards.
 * The page must bypass its content security policy, because axe is injected as a script.
 */
export async function violations(
  page: Page,
  { targets = false, onlyColours = false }: Checked = {},
): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.waitForFunction(
    () =>
      document.fonts.status === 'loaded' &&
      document.querySelector('[data-dimmed=true]') === null &&
      document
        .getAnimations()
        .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  );
  // Once for each document: axe is 0.5 MB, and V8 would compile and optimize it again.
  if (!(await page.evaluate(() => 'axe' in globalThis)))
    await page.addScriptTag({ path: axeSource }).catch(() => page.evaluate(() => undefined));
  const options = {
    resultTypes: ['violations'] as const,
    rules: { 'target-size': { enabled: targets && !onlyColours } },
    ...(onlyColours && { runOnly: COLOUR_RULES }),
  };
  return page.evaluate(async (chosen) => {
    const axe = (globalThis as unknown as { axe?: Axe }).axe;
    if (axe === undefined) return ['axe did not load'];
    const { violations: found } = await axe.run(chosen);
    // Images of the map are where their items lie; zooming separates them.
    const isOnMap = (selector: string) => document.querySelector(selector)?.closest('[data-testid="map-thumbnail"]');
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes
          .filter(({ target }) => id !== 'target-size' || !isOnMap(target.join(' ')))
          .map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
      );
  }, options);
}
