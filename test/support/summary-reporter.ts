import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Closes a run with what was skipped and why, and one plain line of counts. */
export class SummaryReporter implements Reporter {
  #skipped: string[] = [];
  #passed = 0;
  #failed = 0;

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === 'passed') this.#passed += 1;
    if (state === 'failed') this.#failed += 1;
    if (state === 'skipped') {
      const result = test.result();
      const note = 'note' in result ? result.note : undefined;
      this.#skipped.push(`${test.fullName}: ${note ?? 'no reason given'}`);
    }
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const broken = modules.filter((module) => module.errors().length > 0).length;
    for (const line of this.#skipped) console.log(`skipped: ${line}`);
    const skipped = this.#skipped.length > 0 ? `, ${this.#skipped.length} skipped` : '';
    console.log(`${this.#passed} passed, ${this.#failed + broken + errors.length} failed${skipped}`);
  }
}
