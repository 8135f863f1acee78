/** Debian's Chromium, which stands in for Electron's own. */
export const CHROMIUM_PROGRAM = '/usr/bin/chromium';
