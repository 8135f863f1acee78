/** Pages of the documentation that the service itself serves. */
export const HELP_PAGES = { start: 'help/', reporting: 'help/privacy.html#reporting-a-problem' } as const;
