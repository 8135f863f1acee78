import type { ErrorBody } from '../src-main/contract/errors.ts';
import type { AppEvent } from '../src-main/contract/events.ts';

/** Menu commands that the renderer executes. */
export type BridgeCommand = 'new_dataset' | 'open_palette' | 'toggle_theme';

/** What the preload exposes as `window.vitrine`. */
export interface VitrineBridge {
  invoke(operation: string, input: unknown): Promise<{ ok: true; result: unknown } | { ok: false; error: ErrorBody }>;
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** Absolute path of a dropped or picked file or folder. */
  pathForFile(file: File): string;
  /** Opens the system's folder dialog. null if the user cancels. */
  chooseFolder(): Promise<string | null>;
  onCommand(listener: (command: BridgeCommand) => void): () => void;
  platform: string;
}
