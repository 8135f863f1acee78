import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

/** Number of slowest files that are printed. */
const SLOWEST = 10;

/** Ends a run with the skipped tests and reasons, the injected faults, the slowest files and one line of counts. */
export class SummaryReporter implements Reporter {
  #skipped: string[] = [];
  #passed = 0;
  #failed = 0;
  #faults = 0;
  #compared = 0;
  #comparedBytes = 0;

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    const { faults = 0, compared = 0, compared_bytes = 0 } = test.meta();
    this.#faults += faults;
    this.#compared += compared;
    this.#comparedBytes += compared_bytes;
    if (state === 'passed') this.#passed += 1;
    if (state === 'failed') this.#failed += 1;
    if (state === 'skipped') this.#skipped.push(`${test.fullName}: ${reasonOf(test) ?? 'no reason given'}`);
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const broken = modules.filter((module) => module.errors().length > 0).length;
    for (const line of this.#skipped) console.log(`skipped: ${line}`);
    if (this.#faults > 0) {
      const megabytes = (this.#comparedBytes / 1e6).toFixed(1);
      console.log(`${this.#faults} faults injected, ${this.#compared} files (${megabytes} MB) compared byte for byte`);
    }
    if (modules.length > SLOWEST) console.log(slowest(modules));
    const skipped = this.#skipped.length > 0 ? `, ${this.#skipped.length} skipped` : '';
    console.log(`${this.#passed} passed, ${this.#failed + broken + errors.length} failed${skipped}`);
  }
}

/** The slowest files with their durations in seconds. */
function slowest(modules: ReadonlyArray<TestModule>): string {
  const timed = modules.map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }));
  const longest = timed.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  return `slowest files: ${longest.map(({ file, ms }) => `${file} ${Math.round(ms / 1000)} s`).join(', ')}`;
}

/** The reason that the test gave when it skipped itself, or the requirement that skipped it or an enclosing suite. */
function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  if ('note' in result && result.note !== undefined) return result.note;
  let task: TestCase | TestSuite | TestModule = test;
  while (task.type !== 'module') {
    const { skip_reason } = task.meta();
    if (skip_reason !== undefined) return skip_reason;
    task = task.parent;
  }
  return undefined;
}
