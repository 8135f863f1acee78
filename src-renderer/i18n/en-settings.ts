/** Texts of settings. */
export const enSettings = {
  settings: {
    title: 'Settings',
    appearance: 'Appearance',
    theme: 'Theme',
    themes: { dark: 'Dark', light: 'Light', system: 'System' },
    density: 'Density',
    densities: { comfortable: 'Comfortable', compact: 'Compact' },
    api: 'API',
    apiText: 'Everything on these screens can be done by scripts, from this machine only.',
    address: 'Address',
    addressLater: 'Shown once there is a dataset',
    documentation: 'Reference',
    example: 'Try it',
    disk: 'Data on the disk',
    diskBackup: 'Back up everything, or bring datasets back',
    diskCheck: 'Check it, and see what was found',
    about: 'About',
    version: 'Version',
  },
};
