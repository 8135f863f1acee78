import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that run for a minute or more. Last, one of them would occupy one core while the others have nothing left to do. */
const LONGEST = [
  'test/integration/docs.test.ts',
  'test/e2e/accessibility.test.ts',
  'test/contract/4.4-enrichment.test.ts',
];

/** Starts the longest files first, and the others in Vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((file) => moduleId.endsWith(file));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
