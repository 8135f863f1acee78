import { formatMessage } from '../contract/messages.ts';
import { restoreDataFolder } from '../infra/backups/restore-data-folder.ts';

const STEPS = { check: 'Checking the backup', write: 'Writing' };
const PERCENT_STEP = 10;

/**
 * The command `npm run restore`.
 * @returns The exit code: 0 when everything was restored.
 * @throws AppError as {@link restoreDataFolder}.
 */
export async function restore(
  options: { from: string; backup_id: string | undefined; to: string },
  say: (line: string) => void,
): Promise<number> {
  let reported = '';
  const backup = await restoreDataFolder(options, (step, done, total) => {
    const percent = Math.floor((done / Math.max(1, total)) * (100 / PERCENT_STEP)) * PERCENT_STEP;
    const line = `${STEPS[step]}: ${Math.min(100, percent)} %`;
    if (line !== reported) say(line);
    reported = line;
  });
  const { length } = backup.datasets;
  say(`Restored ${length === 1 ? '1 dataset' : `${length} datasets`} of ${backup.created_at}`);
  for (const { name, problem } of backup.datasets) if (problem !== null) say(`${name}: ${formatMessage(problem)}`);
  return 0;
}
