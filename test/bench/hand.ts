import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { round } from './timing.ts';

export const WAYS = ['keyboard', 'mouse'] as const;
export type Way = (typeof WAYS)[number];

/** Maximum number of Tab presses on the way to a control. */
const MAX_TABS = 80;

/** Operates a page by keyboard alone or by mouse, and counts what a person would do. Text is typed in both ways. */
export class Hand {
  readonly way: Way;
  readonly #page: Page;
  readonly #pictures: string | undefined;
  #title = '';
  #counts = { keys: 0, clicks: 0, characters: 0 };
  #pressed: string[] = [];
  #steps = 0;
  #startedMs = 0;

  /** @param pictures Folder for a screenshot of each step. */
  constructor(page: Page, way: Way, pictures?: string) {
    this.#page = page;
    this.way = way;
    this.#pictures = pictures;
  }

  async begin(title: string): Promise<void> {
    this.#title = title;
    this.#counts = { keys: 0, clicks: 0, characters: 0 };
    this.#pressed = [];
    this.#steps = 0;
    await this.step('start');
    this.#startedMs = performance.now();
  }

  end(): object {
    const seconds = round((performance.now() - this.#startedMs) / 1000);
    const { keys, clicks, characters } = this.#counts;
    return {
      ...(this.way === 'keyboard' ? { keys } : { clicks, keys }),
      characters,
      seconds,
      did: this.#pressed.join(' '),
    };
  }

  /** Takes a picture of the page, if pictures are wanted. */
  async step(name: string): Promise<void> {
    if (this.#pictures === undefined) return;
    await mkdir(this.#pictures, { recursive: true });
    this.#steps += 1;
    const file = `${this.#title.replaceAll(/\W+/g, '-')}-${this.#steps}-${name}.png`;
    await this.#page.screenshot({ path: join(this.#pictures, file) });
  }

  async press(key: string): Promise<void> {
    this.#counts.keys += 1;
    this.#pressed.push(key);
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.#counts.characters += text.length;
    await this.#page.keyboard.type(text);
  }

  async click(target: Locator): Promise<void> {
    this.#counts.clicks += 1;
    await target.click();
  }

  /**
   * Operates a control: by mouse with a click; by keyboard with its shortcut, or with Enter after as many presses of Tab as lead to it.
   * @param testId Test id of the control, or a longer selector without its first and last bracket.
   */
  async activate(testId: string, shortcut?: string): Promise<void> {
    const selector = `[data-testid=${testId}]`;
    const target = this.#page.locator(selector).first();
    await target.waitFor();
    if (this.way === 'mouse') return this.click(target);
    if (shortcut !== undefined) return this.press(shortcut);
    for (let nth = 0; nth < MAX_TABS; nth += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return this.press('Enter');
      await this.press('Tab');
    }
    throw new Error(`${selector} was not reached by Tab`);
  }
}
