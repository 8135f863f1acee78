import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Serious accessibility violations of what the page shows now. The page's policy must be bypassed: axe is injected as a script. */
export async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axeSource }).catch(() => page.evaluate(() => undefined));
  return page.evaluate(async () => {
    const axe = (
      globalThis as unknown as { axe?: { run(): Promise<{ violations: { id: string; impact: string }[] }> } }
    ).axe;
    const { violations: found } = (await axe?.run()) ?? {
      violations: [{ id: 'axe did not load', impact: 'critical' }],
    };
    return found
      .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
      .map((violation) => violation.id);
  });
}
