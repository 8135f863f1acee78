/** First and last name, as far as known. */
export function fullName({ firstName, lastName }: { firstName: string | null; lastName: string | null }): string {
  return [firstName, lastName].filter((part) => part !== null).join(' ');
}
