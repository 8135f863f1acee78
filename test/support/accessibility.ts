import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Axe {
  /** Only of the kinds of results asked for is told where on the page they are, which is most of the work. */
  run(options: { resultTypes: ['violations'] }): Promise<{ violations: Violation[] }>;
}

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/**
 * Serious accessibility violations of what the page shows, once it is at rest; from then on nothing moves on it. The page's policy must
 * be bypassed: axe is injected as a script.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.waitForFunction(
    () =>
      document.fonts.status === 'loaded' &&
      document.querySelector('[data-dimmed=true]') === null &&
      document
        .getAnimations()
        .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  );
  await page.addScriptTag({ path: axeSource }).catch(() => page.evaluate(() => undefined));
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe?: Axe }).axe;
    if (axe === undefined) return ['axe did not load'];
    const { violations: found } = await axe.run({ resultTypes: ['violations'] });
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
      );
  });
}
