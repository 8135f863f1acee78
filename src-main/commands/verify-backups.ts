import { verifyBackups } from '../infra/backups/verify-backups.ts';

/** Damaged files of a backup that are named. */
const MAX_NAMED = 10;

/**
 * What `npm run backup -- --verify` does.
 * @returns The exit code: 0 when all can be restored, 2 when something cannot.
 * @throws AppError as {@link verifyBackups} does.
 */
export async function verify(
  options: { from: string; backup_id: string | undefined },
  say: (line: string) => void,
): Promise<number> {
  const { backups, n_unreadable } = await verifyBackups(options, (backupId) => say(`Reading ${backupId}…`));
  for (const { backup_id, n_files, damaged } of backups) {
    say(
      `${backup_id}: ${damaged.length === 0 ? `${n_files} files, sound` : `${damaged.length} of its files are damaged`}`,
    );
    for (const path of damaged.slice(0, MAX_NAMED)) say(`  ${path}`);
  }
  if (n_unreadable > 0) say(`${n_unreadable} backups cannot be read at all`);
  const nDamaged = backups.filter(({ damaged }) => damaged.length > 0).length + n_unreadable;
  say(`${backups.length} backups read, ${nDamaged} damaged`);
  return nDamaged === 0 ? 0 : 2;
}
