import { verifyBackups } from '../infra/backups/verify-backups.ts';

/** Maximum number of damaged files listed per backup. */
const MAX_NAMED = 10;

/**
 * The command `npm run backup -- --verify`.
 * @returns The exit code: 0 when all files can be restored, 2 when some cannot.
 * @throws AppError as {@link verifyBackups}.
 */
export async function verify(
  options: { from: string; backup_id: string | undefined },
  say: (line: string) => void,
): Promise<number> {
  let last = '';
  const { backups, n_unreadable } = await verifyBackups(options, (done, total) => {
    const line = `Reading: ${Math.floor((done / Math.max(1, total)) * 10) * 10} %`;
    if (line !== last) say(line);
    last = line;
  });
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
