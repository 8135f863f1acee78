import { type IpcMain, type IpcMainInvokeEvent, shell } from 'electron';
import { PAGE_BYTES, readLogLines } from './log-lines.ts';

const LOG_CHANNEL = 'vitrine:log';

/** Gives the last lines of the log to the page that shows them, and opens the file in the program of the system for it. */
export function handleLog(
  ipc: IpcMain,
  isTrustedSender: (event: IpcMainInvokeEvent) => boolean,
  logFile: string,
): void {
  ipc.handle(LOG_CHANNEL, async (event, action: unknown) => {
    if (!isTrustedSender(event)) return null;
    if (action === 'open') return shell.openPath(logFile);
    return readLogLines(logFile, PAGE_BYTES);
  });
}
