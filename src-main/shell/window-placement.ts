import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Position and size of a window in device-independent pixels. */
export interface WindowPlacement {
  x: number;
  y: number;
  width: number;
  height: number;
  is_maximized: boolean;
}

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

const MIN_WIDTH = 720;
const MIN_HEIGHT = 480;
/** How much of a window must lie on a screen, in each direction, for a person to find and drag it. */
const MIN_VISIBLE = 120;

/** Returns the last written placement, or undefined if there is none that fits the given screens. */
export function readWindowPlacement(file: string, screens: readonly Area[]): WindowPlacement | undefined {
  const stored = readJson(file);
  if (!isPlacement(stored)) return undefined;
  return screens.some((screen) => isReachable(stored, screen)) ? stored : undefined;
}

/** Replaces the file in one step. */
export function writeWindowPlacement(file: string, placement: WindowPlacement): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(placement));
  renameSync(`${file}.new`, file);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // Missing on the first start. An unreadable or damaged file is treated as missing and overwritten.
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return undefined;
    throw error;
  }
}

function isPlacement(value: unknown): value is WindowPlacement {
  if (typeof value !== 'object' || value === null) return false;
  const { x, y, width, height, is_maximized } = value as Partial<WindowPlacement>;
  return (
    [x, y, width, height].every(Number.isSafeInteger) &&
    typeof is_maximized === 'boolean' &&
    (width ?? 0) >= MIN_WIDTH &&
    (height ?? 0) >= MIN_HEIGHT
  );
}

function isReachable(placement: WindowPlacement, screen: Area): boolean {
  const overlapX = Math.min(placement.x + placement.width, screen.x + screen.width) - Math.max(placement.x, screen.x);
  const titleBarIsOnScreen = placement.y >= screen.y && placement.y <= screen.y + screen.height - MIN_VISIBLE;
  return overlapX >= MIN_VISIBLE && titleBarIsOnScreen;
}
