/** A package whose code is shipped to users: installed beside the built program, or bundled into the pages. */
export interface ShippedPackage {
  name: string;
  version: string;
  /** SPDX expression from the lock file. */
  license: string;
  /** Lines of the package's licence file that name its copyright holders; empty if it names none. */
  copyright: readonly string[];
}
