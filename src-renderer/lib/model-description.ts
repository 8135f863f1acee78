import i18next from 'i18next';
import { DE_MODEL_DESCRIPTIONS } from '../i18n/de-model-descriptions.ts';

/** The description of a model in the language of the page. A description of somebody's own model stays as written. */
export function modelDescription(english: string): string {
  return i18next.resolvedLanguage === 'de' ? (DE_MODEL_DESCRIPTIONS[english] ?? english) : english;
}
