/**
 * [Note: Opened folders]
 * On a shared server people name paths of a machine that is not theirs. They may only name what lies in a folder that an admin has opened
 * (the setting OPENED_FOLDERS), and what counts is where a path leads once all links are followed. Without authentication whoever calls
 * is the person at this machine, and everything is open unless they say otherwise.
 */
export interface OpenedFolders {
  /** The folders that are open; null: all. */
  list(): readonly string[] | null;
  /**
   * Where an absolute path leads, as far as it is there. What is not open is refused before anything is told of it.
   * @throws AppError `forbidden`.
   */
  resolve(path: string): Promise<string>;
  /** Whether an absolute path leads into a folder that is open. */
  isOpen(path: string): Promise<boolean>;
}
