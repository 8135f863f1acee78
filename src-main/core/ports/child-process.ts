/**
 * A child process and its message channel, independent of how it is started: `child_process.fork` under Node, `utilityProcess` under
 * Electron.
 */
export interface ChildHandle {
  readonly pid: number | undefined;
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (reason: string) => void): void;
  kill(): void;
}

export type SpawnChild = (entryFile: string, name: string) => ChildHandle;
