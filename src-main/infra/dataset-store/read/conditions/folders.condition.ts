import { type Executor, whereItem } from './executor.ts';
import { matchesText } from './matches-text.ts';

/** By the path of the folder; a frame's is its video. A folder that is named whole has those below it too. */
export const folders: Executor<'folders'> = (condition, facts) => {
  const { items } = facts.columns;
  const matches = matchesText(condition);
  const holds = items.folders
    .map((path) => path.toLowerCase())
    .map((folder) => (condition.op === 'one_of' ? pathsAbove(folder).some(matches) : matches(folder)));
  return whereItem(facts, (row) => holds[items.folderOf[row] ?? -1] === true);
};

/** A path and those of the folders that it is in. */
function pathsAbove(path: string): string[] {
  const steps = path.split('/');
  return steps.map((_, at) => steps.slice(0, at + 1).join('/'));
}
