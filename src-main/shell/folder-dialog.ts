import { BrowserWindow, dialog, type IpcMain, type IpcMainInvokeEvent } from 'electron';
import { systemTexts } from './system-texts.ts';

const CHOOSE_FOLDER_CHANNEL = 'vitrine:choose-folder';

/** Lets the page open the system's folder dialog; the page gets an absolute path, or null when the person cancels. */
export function handleChooseFolder(ipc: IpcMain, isTrustedSender: (event: IpcMainInvokeEvent) => boolean): void {
  ipc.handle(CHOOSE_FOLDER_CHANNEL, async (event) => {
    const window = BrowserWindow.fromWebContents(event.sender);
    if (window === null || !isTrustedSender(event)) return null;
    const choice = await dialog.showOpenDialog(window, {
      title: systemTexts().choose_folder,
      properties: ['openDirectory'],
    });
    return choice.canceled ? null : (choice.filePaths[0] ?? null);
  });
}
