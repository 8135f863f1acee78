import { spawnSync } from 'node:child_process';
import type { Need } from './needs.ts';

/** Python with which tests run: `VITRINE_TEST_PYTHON`, such as that of a virtual environment, else `python3`. */
export const python = process.env.VITRINE_TEST_PYTHON ?? 'python3';

/** Requires Python with modules. */
export function pythonWith(...modules: string[]): Need {
  const { error, status } = spawnSync(python, ['-c', modules.map((name) => `import ${name}`).join('\n')]);
  if (error) return `no ${python}`;
  return status === 0 ? undefined : `${python} has not all of the packages ${modules.join(', ')}`;
}
