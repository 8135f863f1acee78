/**
 * [Note: Opened folders]
 * Users of a shared server send paths of a machine that is not theirs. Only paths inside a folder that an admin has opened (the setting
 * OPENED_FOLDERS) are allowed. A path is checked after all symbolic links are resolved. Without authentication every caller is the user of
 * this machine, and all folders are open unless the setting restricts them.
 */
export interface OpenedFolders {
  /** Lists the open folders; null if all folders are open. */
  list(): readonly string[] | null;
  /**
   * Resolves the symbolic links of an absolute path, as far as the path exists. A path that is not open is rejected before anything about
   * it is revealed.
   * @throws AppError `forbidden`.
   */
  resolve(path: string): Promise<string>;
  /** Whether an absolute path resolves to a path inside an open folder. */
  isOpen(path: string): Promise<boolean>;
}
