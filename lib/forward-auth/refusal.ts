import 'server-only';
import type { KernelResponse } from '@/lib/http/context';

export const NO_STORE = { 'cache-control': 'no-store' };

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (letter) => NAMED[letter]!);

interface Refusal {
  status: 400 | 401 | 403 | 404;
  message: string;
  /** Whether someone looks at it. */
  isPage: boolean;
  /** Where to try again: a path of the same address. */
  again?: string;
}

/** A refusal in words: a small page for people, JSON for everything else. */
export function refusal({ status, message, isPage, again }: Refusal): KernelResponse {
  if (!isPage) return { status, headers: { ...NO_STORE }, json: { code: status, message, data: {} } };
  const link = again ? `<p><a href="${escapeHtml(again)}">Try again</a></p>` : '';
  const headers = {
    ...NO_STORE,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
  };
  const title = '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Berth</title>';
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8">${title}</head>`;
  return {
    status,
    headers,
    body: `${body}<body><main><h1>Berth</h1><p>${escapeHtml(message)}</p>${link}</main></body></html>`,
  };
}
