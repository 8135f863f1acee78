import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import type { ShellTexts } from './shell-texts.ts';
import type { Work } from './work-watch.ts';

export interface TrayOptions {
  platform: NodeJS.Platform;
  texts: ShellTexts;
  iconFile: string;
  show: () => void;
  openTasks: () => void;
  pause: (paused: boolean) => void;
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
    this.update({ nRunning: 0, fraction: undefined, isPaused: false });
  }

  update(work: Work): void {
    const said = sentenceOf(work, this.#options.texts);
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

function trayTemplate(options: TrayOptions, work: Work): MenuItemConstructorOptions[] {
  const { texts } = options;
  return [
    { label: sentenceOf(work, texts), enabled: work.nRunning > 0, click: options.openTasks },
    { type: 'separator' },
    { label: texts.show_vitrine, click: options.show },
    { label: texts.new_dataset, click: options.newDataset },
    { label: texts.tasks, click: options.openTasks },
    {
      label: texts.pause_tasks,
      type: 'checkbox',
      checked: work.isPaused,
      click: (item) => options.pause(item.checked),
    },
    { type: 'separator' },
    { label: texts.quit_vitrine, click: options.quit },
  ];
}

function sentenceOf({ nRunning, fraction, isPaused }: Work, texts: ShellTexts): string {
  if (isPaused) return texts.tasks_paused;
  if (nRunning === 0) return texts.nothing_runs;
  return fraction === undefined ? texts.running(nRunning) : texts.running_at(nRunning, Math.floor(fraction * 100));
}
