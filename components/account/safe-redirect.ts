import { paths } from '@/lib/paths';

/** Where to go after a log-in: an address of this console, and home for anything else. */
export function safeRedirect(value: unknown): string {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value)) return paths.home;
  try {
    const url = new URL(value, 'http://console.invalid');
    return url.host === 'console.invalid' ? url.pathname + url.search + url.hash : paths.home;
  } catch {
    return paths.home;
  }
}
