import { LANGUAGE_COOKIE, LANGUAGE_ENTRY, type Language } from '@/lib/vocabulary/languages';

const YEAR_SECONDS = 31_536_000;

/** Keeps the language for this browser; pages have it from their next answer of the server on. */
export function keepLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE_ENTRY, language);
  document.cookie = `${LANGUAGE_COOKIE}=${language};path=/;max-age=${YEAR_SECONDS};samesite=lax`;
}
