/** The languages that the interface and the mails are written in; the first is for whoever speaks none of them. */
export const LANGUAGES = ['en', 'hu'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Where a browser keeps the language that was chosen in it: read by the page itself, and told to the server as a cookie. */
export const LANGUAGE_ENTRY = 'i18nextLng';
export const LANGUAGE_COOKIE = 'berth_language';

/** The language of a tag such as `hu` or `en-GB`; undefined for none, and for one that nothing is written in. */
export function languageOf(tag: string | undefined): Language | undefined {
  const [tongue = ''] = (tag ?? '').trim().toLowerCase().split(/[-_]/);
  return LANGUAGES.find((language) => language === tongue);
}

/** The first language of an `Accept-Language` header (RFC 9110) that something is written in, by its weights. */
export function acceptedLanguage(header: string | null): Language | undefined {
  const asked = (header ?? '').split(',', 20).map((part) => {
    const [tag, ...parameters] = part.split(';');
    const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
    return { language: languageOf(tag), weight: weight === undefined ? 1 : Number(weight) };
  });
  const usable = asked.filter(({ language, weight }) => language && weight > 0);
  return usable.sort((one, other) => other.weight - one.weight)[0]?.language;
}
