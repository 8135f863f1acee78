/** A package whose code reaches users: installed beside the built program, or bundled into the pages. */
export interface ShippedPackage {
  name: string;
  version: string;
  /** SPDX expression from the lock file. */
  license: string;
  /** Lines of the package's licence file that name its copyright holders; empty where the package states none. */
  copyright: readonly string[];
}
