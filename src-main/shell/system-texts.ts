import { app } from 'electron';
import { type ShellTexts, shellTexts } from './shell-texts.ts';

/** Returns the texts in the language of the system. */
export function systemTexts(): ShellTexts {
  return shellTexts(app.getPreferredSystemLanguages());
}
