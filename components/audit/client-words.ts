import Bowser from 'bowser';

/** Browser and system behind a user agent; empty where it tells neither. */
export function clientWords(userAgent: string): string {
  if (userAgent === '') return '';
  const { browser, os } = Bowser.parse(userAgent);
  const words = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ');
  return [words, os.name].filter(Boolean).join(', ');
}
