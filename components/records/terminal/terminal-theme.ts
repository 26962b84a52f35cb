import type { ITheme } from '@xterm/xterm';

/** The terminal's colours, from the tokens as they are now. */
export function readTheme(): ITheme {
  const styles = getComputedStyle(document.body);
  const token = (name: string): string => styles.getPropertyValue(`--color-${name}`).trim();
  const [red, green, yellow, blue, magenta, cyan] = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'].map((name) =>
    token(`ansi-${name}`),
  );
  return {
    background: token('term'),
    foreground: token('text'),
    cursor: token('accent'),
    cursorAccent: token('term'),
    selectionBackground: token('accent-line'),
    selectionInactiveBackground: token('line-strong'),
    black: token('text'),
    brightBlack: token('text-3'),
    white: token('text-2'),
    brightWhite: token('text'),
    ...Object.fromEntries(
      Object.entries({ red, green, yellow, blue, magenta, cyan }).flatMap(([name, colour]) => [
        [name, colour],
        [`bright${name[0]!.toUpperCase()}${name.slice(1)}`, colour],
      ]),
    ),
  };
}

/** Calls back whenever the page changes between light and dark. Returns what ends it. */
export function watchTheme(onChange: (theme: ITheme) => void): () => void {
  const observer = new MutationObserver(() => onChange(readTheme()));
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  return () => observer.disconnect();
}
