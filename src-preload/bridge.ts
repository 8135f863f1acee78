import type { ErrorBody } from '../src-main/contract/errors.ts';
import type { AppEvent } from '../src-main/contract/events.ts';

/** Menu commands that the renderer executes. */
export type BridgeCommand = 'new_dataset' | 'open_palette' | 'toggle_theme' | 'show_shortcuts';

/** What the system asks the page to show: an address of the app, or a folder for a new dataset. */
export interface BridgeOpening {
  address?: string;
  folder?: string;
}

/** A line of the log. `level` is that of pino: 30 information, 40 warnings, 50 errors; `details` are its other fields as JSON. */
export interface BridgeLogLine {
  time: string;
  level: number;
  message: string;
  details: string;
}

/** What the preload exposes as `window.vitrine`. */
export interface VitrineBridge {
  /** `away`: the process of the core has ended and is started again. */
  invoke(
    operation: string,
    input: unknown,
  ): Promise<{ ok: true; result: unknown } | { ok: false; error: ErrorBody; away?: true }>;
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** Calls the listener when the process of the core has ended (true) and when it answers again (false). */
  onCoreAway(listener: (isAway: boolean) => void): void;
  /** Absolute path of a dropped or picked file or folder. */
  pathForFile(file: File): string;
  /** Opens the system's folder dialog. null if the user cancels. */
  chooseFolder(): Promise<string | null>;
  onCommand(listener: (command: BridgeCommand) => void): () => void;
  onOpening(listener: (opening: BridgeOpening) => void): () => void;
  /**
   * Shows the file of an item in the file manager, copies its path, or begins to drag it to another program. Resolves to whether it is a
   * file of its own. @param address The signed address of its original.
   */
  itemFile(action: 'reveal' | 'copy_path' | 'drag', address: string): Promise<boolean>;
  /**
   * Moves the file of an item to the system's trash, or a file that was moved since the app was started back from it, which only Linux
   * allows. `no_file`: the item has no file of its own outside the app's data, or the file is no longer in the trash. `failed`: the
   * system refused. @param address The signed address of its original.
   */
  trashFile(action: 'move' | 'restore', address: string): Promise<'done' | 'no_file' | 'failed'>;
  /** The last lines of the log, the oldest first. */
  readLog(): Promise<BridgeLogLine[]>;
  /** Opens the log in the system's program for it. */
  openLog(): Promise<unknown>;
  platform: string;
}
