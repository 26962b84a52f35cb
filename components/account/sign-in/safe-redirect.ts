import { paths } from '@/lib/paths';

const HERE = 'http://console.invalid';

/** Where to go after a log-in: an address of this console, and home for anything else. */
export function safeRedirect(value: unknown): string {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value)) return paths.home;
  try {
    const url = new URL(value, HERE);
    const target = url.pathname + url.search + url.hash;
    // What the parser leaves out, as dots and control characters, may uncover an address of elsewhere: it is read again.
    return url.origin === HERE && new URL(target, HERE).origin === HERE ? target : paths.home;
  } catch {
    return paths.home;
  }
}
