import i18next from 'i18next';
import { type Language, usePreferences } from '../lib/preferences.ts';

/** Languages by their own names, which are not translated. */
export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch' },
] as const;
type LanguageCode = (typeof LANGUAGES)[number]['code'];

/** Returns the chosen language; for `auto`, the first of the browser's languages that exists here, else English. */
export function languageOf(chosen: Language, ofBrowser: readonly string[]): LanguageCode {
  if (chosen !== 'auto') return chosen;
  const codes = ofBrowser.map((tag) => tag.split('-')[0]?.toLowerCase());
  return codes.flatMap((code) => LANGUAGES.find((one) => one.code === code)?.code ?? [])[0] ?? 'en';
}

async function show(chosen: Language): Promise<void> {
  const language = languageOf(chosen, navigator.languages);
  // English is part of the first load, because it also stands in where German fails to load.
  if (language === 'de' && !i18next.hasResourceBundle('de', 'translation')) {
    const { de } = await import('./de.ts');
    i18next.addResourceBundle('de', 'translation', de);
  }
  // The choice may have changed while the texts were loaded.
  if (languageOf(usePreferences.getState().language, navigator.languages) !== language) return;
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Shows the page in the chosen language, also after a change. Resolves when the first texts are loaded. Never rejects. */
export async function followLanguage(): Promise<void> {
  let known = usePreferences.getState().language;
  usePreferences.subscribe(({ language }) => {
    if (language === known) return;
    known = language;
    void show(language).catch(() => undefined);
  });
  await show(known).catch(() => undefined);
}
