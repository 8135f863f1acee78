import type { Page } from 'playwright-core';

/** Returns whether the facets are open, or being loaded. */
export async function areFacetsOpen(page: Page): Promise<boolean> {
  return (await page.getByTestId('toggle-facets').getAttribute('aria-pressed')) === 'true';
}

export async function openFacets(page: Page): Promise<void> {
  if (!(await areFacetsOpen(page))) await page.getByTestId('toggle-facets').click();
}
