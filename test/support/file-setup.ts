import { afterAll } from 'vitest';
import { runCleanUps } from './at-end.ts';

// Vitest runs this file before each test file, and never runs an `afterAll` that a hook or a test calls.
afterAll(runCleanUps);
