import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import type { Work } from './work-watch.ts';

export interface TrayOptions {
  platform: NodeJS.Platform;
  iconFile: string;
  show: () => void;
  openTasks: () => void;
  newDataset: () => void;
  quit: () => void;
}

/** The icon in the notification area or the menu bar: what runs, and the way back to the window. */
export class WorkTray {
  readonly #options: TrayOptions;
  readonly #tray: Tray;
  #said = '';

  constructor(options: TrayOptions) {
    this.#options = options;
    this.#tray = new Tray(nativeImage.createFromPath(options.iconFile));
    // On Linux and macOS a click opens the menu.
    if (options.platform === 'win32') this.#tray.on('click', options.show);
    this.update({ nRunning: 0, fraction: undefined });
  }

  update(work: Work): void {
    const said = sentenceOf(work);
    // Menus that are set again close under the pointer.
    if (said === this.#said) return;
    this.#said = said;
    this.#tray.setToolTip(`Vitrine: ${said}`);
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(this.#options, work)));
  }

  remove(): void {
    this.#tray.destroy();
  }
}

export function trayTemplate(options: TrayOptions, work: Work): MenuItemConstructorOptions[] {
  return [
    { label: sentenceOf(work), enabled: work.nRunning > 0, click: options.openTasks },
    { type: 'separator' },
    { label: 'Show Vitrine', click: options.show },
    { label: 'New Dataset…', click: options.newDataset },
    { label: 'Tasks', click: options.openTasks },
    { type: 'separator' },
    { label: 'Quit Vitrine', click: options.quit },
  ];
}

function sentenceOf({ nRunning, fraction }: Work): string {
  if (nRunning === 0) return 'Nothing is running';
  const tasks = nRunning === 1 ? '1 task' : `${nRunning} tasks`;
  return fraction === undefined ? `${tasks} running` : `${tasks} running, ${Math.floor(fraction * 100)} %`;
}
