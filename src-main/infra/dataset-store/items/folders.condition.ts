import type { Condition } from '../../../core/ports/query.ts';
import { type ConditionKind, type ConditionKinds, whereItem } from '../explore/condition-kind.ts';

/** Matches the path of the folder; the folder of a frame is its video. A complete folder path also matches the folders below it. */
const folders: ConditionKind<'folders'> = {
  rows: (condition, facts) => {
    const { items } = facts.columns;
    const matches = matchesPath(condition);
    const holds = items.folders.map((path) => matches(path.toLowerCase()));
    return whereItem(facts, (row) => holds[items.folderOf[row] ?? -1] === true);
  },
};

export const folderConditions = { folders } satisfies ConditionKinds;

/** Returns the test of a path in lower case. */
function matchesPath({ op, value }: Condition & { name: 'folders' }): (path: string) => boolean {
  const searched = value.map((one) => one.toLowerCase());
  if (op === 'one_of') {
    const all = new Set(searched);
    return (path) => pathsAbove(path).some((above) => all.has(above));
  }
  if (op === 'starts_with') return (path) => searched.some((one) => path.startsWith(one));
  if (op === 'ends_with') return (path) => searched.some((one) => path.endsWith(one));
  return (path) => searched.some((one) => path.includes(one));
}

/** Returns a path and the paths of the folders that contain it. */
function pathsAbove(path: string): string[] {
  const steps = path.split('/');
  return steps.map((_, at) => steps.slice(0, at + 1).join('/'));
}
