import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

/** Number of files that are printed. */
const MOST_EXPENSIVE = Number(process.env.VITRINE_TEST_EXPENSIVE ?? 20);

/** Ends a run with the skipped tests and reasons, the injected faults, the most expensive files, the failed tests and one line of counts. */
export class SummaryReporter implements Reporter {
  #skipped: string[] = [];
  #passed = 0;
  #failed: string[] = [];
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
    if (state === 'failed') this.#failed.push(`${test.module.relativeModuleId} > ${test.fullName}: ${errorsOf(test)}`);
    if (state === 'skipped') this.#skipped.push(`${test.fullName}: ${reasonOf(test) ?? 'no reason given'}`);
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const broken = modules.filter((module) => module.errors().length > 0).length;
    for (const line of this.#skipped) console.log(`skipped: ${line}`);
    if (this.#faults > 0) {
      const megabytes = (this.#comparedBytes / 1e6).toFixed(1);
      console.log(`${this.#faults} faults injected, ${this.#compared} files (${megabytes} MB) compared byte for byte`);
    }
    console.log(mostExpensive(modules));
    for (const line of this.#failed) console.log(`failed: ${line}`);
    const skipped = this.#skipped.length > 0 ? `, ${this.#skipped.length} skipped` : '';
    console.log(`${this.#passed} passed, ${this.#failed.length + broken + errors.length} failed${skipped}`);
  }
}

/** The first line of each error, with the line of the test. */
function errorsOf(test: TestCase): string {
  const { errors = [] } = test.result();
  return errors
    .map(({ message, stacks }) => `${message.split('\n')[0]} (line ${stacks?.at(-1)?.line ?? '?'})`)
    .join('; ');
}

/** The files that took the most CPU time, with their durations, which other files beside them make longer. */
function mostExpensive(modules: ReadonlyArray<TestModule>): string {
  const files = modules.map((module) => ({
    file: module.relativeModuleId,
    cpu_s: module.meta().cpu_s ?? 0,
    long_s: module.diagnostic().duration / 1000,
  }));
  const total = files.reduce((sum, { cpu_s }) => sum + cpu_s, 0);
  const most = files.toSorted((a, b) => b.cpu_s - a.cpu_s).slice(0, MOST_EXPENSIVE);
  const lines = most.map(({ file, cpu_s, long_s }) => `${cpu_s.toFixed(1)} s in ${long_s.toFixed(1)} s: ${file}`);
  return [`CPU time of all files: ${total.toFixed(0)} s; most of it:`, ...lines].join('\n');
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
