import 'server-only';
import type { KernelResponse } from '@/lib/http/context';

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (letter) => NAMED[letter]!);

/** Why there is no answer of the workspace. */
export interface Words {
  status: number;
  title: string;
  /** Paragraphs. */
  text: readonly string[];
  links?: readonly { href: string; label: string }[];
  /** A button that asks for something by POST at the same address. */
  button?: { action: string; label: string };
  /** After so many seconds the page looks again by itself. */
  againSeconds?: number;
}

const STYLE = `:root{color-scheme:light dark;--page:#f6f6f4;--card:#fff;--line:#e2e1dc;--text:#1d1d1b;--soft:#63625c;--accent:#0b6b63;--on:#fff}
@media(prefers-color-scheme:dark){:root{--page:#141413;--card:#1d1d1b;--line:#33322e;--text:#f0efea;--soft:#a3a199;--accent:#5fd0c4;--on:#06231f}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;background:var(--page);color:var(--text);font:15px/1.55 system-ui,sans-serif}
main{max-width:30rem;width:100%;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:28px}
small{color:var(--soft);font-weight:600}h1{font-size:1.2rem;line-height:1.35;margin:6px 0 12px}p{margin:0 0 10px;color:var(--soft);overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:10px;align-items:center;margin-top:20px}form{margin:0}a,button{font:inherit;font-weight:600;border-radius:8px;padding:7px 14px;border:1px solid var(--line);background:none;color:var(--accent);text-decoration:none;cursor:pointer}
button{background:var(--accent);border-color:var(--accent);color:var(--on)}a:focus-visible,button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`;

/** Words as a small page of their own for people, as JSON for everything else. Nothing of the console is on it. */
export function inWords(words: Words, isPage: boolean): KernelResponse {
  const { status, title, text } = words;
  const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  const message = [title, ...text].join(' ');
  if (!isPage) return { status, headers: always, json: { code: status, message, data: {} } };
  const headers = {
    ...always,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    // Without one a form is sent as if from nowhere.
    'referrer-policy': 'same-origin',
    ...(words.againSeconds && { refresh: String(words.againSeconds) }),
  };
  return { status, headers, body: pageOf(words) };
}

function pageOf({ title, text, links = [], button }: Words): string {
  const paragraphs = text.map((words) => `<p>${escapeHtml(words)}</p>`).join('');
  const form = button
    ? `<form method="post" action="${escapeHtml(button.action)}"><button>${escapeHtml(button.label)}</button></form>`
    : '';
  const anchors = links.map(({ href, label }) => `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`).join('');
  const nav = form || anchors ? `<nav>${form}${anchors}</nav>` : '';
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Berth</title><style>${STYLE}</style>`;
  const main = `<main><small>Berth</small><h1>${escapeHtml(title)}</h1>${paragraphs}${nav}</main>`;
  return `<!doctype html><html lang="en"><head>${head}</head><body>${main}</body></html>`;
}
