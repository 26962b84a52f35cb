/** A mail without its address. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

export interface Letter {
  language: string;
  subject: string;
  /** What lists of mails show after the subject. */
  preheader: string;
  greeting: string;
  body: string;
  /** What the mail is about, one by one. */
  list?: string[];
  button: string;
  url: string;
  /** Said before the address in full, for readers that can't follow the button. */
  openAddress: string;
  closing: string;
  sender: string;
}

/** Mail readers know neither our stylesheet nor variables: light by inline styles, dark by classes where it is understood. */
const DARK =
  '@media (prefers-color-scheme: dark){.page{background:#0a0c0d!important}.card{background:#0f1213!important;' +
  'border-color:#2d3435!important}.ink{color:#e9eded!important}.soft{color:#aab3b3!important}' +
  '.button{background:#2bb3a5!important;color:#021a18!important}}';

const FONT = `font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
const SMALL = 'margin:0;font-size:13px;line-height:20px;color:#4b5556';

/** Lays a letter out as HTML for light and dark mail readers, and as plain text. Everything in it is escaped. */
export function layOutMail(letter: Letter): MailText {
  const { subject, greeting, body, list = [], url, closing, sender } = letter;
  const items = list.length > 0 ? [list.map((item) => `- ${item}`).join('\n')] : [];
  const text = [greeting, body, ...items, url, closing, `--\n${sender}`].join('\n\n') + '\n';
  return { subject, text, html: toHtml(letter) };
}

function toHtml({ list = [], ...letter }: Letter): string {
  const safe = Object.fromEntries(Object.entries(letter).map(([key, value]) => [key, escapeHtml(String(value))]));
  const items = list.map((item) => `<li>${escapeHtml(item)}</li>`).join('');
  const { language, subject, preheader, greeting, body, button, url, openAddress, closing, sender } = safe as Record<
    keyof Letter,
    string
  >;
  // Blanks that show nothing keep readers from filling the preview with the greeting.
  const filler = '&#847;&zwnj;&nbsp;'.repeat(60);
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${subject}</title><style>:root{color-scheme:light dark}${DARK}</style></head>
<body class="page" style="margin:0;padding:0;background:#f6f7f7">
<div style="display:none;max-height:0;overflow:hidden">${preheader}${filler}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background:#f6f7f7">
<tr><td align="center" style="padding:32px 16px;${FONT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px">
<tr><td class="ink" style="padding:0 0 16px;font-size:16px;font-weight:600;color:#14191a">Berth</td></tr>
<tr><td class="card" style="padding:28px;background:#ffffff;border:1px solid #d4d9d9;border-radius:10px">
<p class="ink" style="margin:0 0 16px;font-size:15px;line-height:24px;color:#14191a">${greeting}</p>
<p class="ink" style="margin:0 0 24px;font-size:15px;line-height:24px;color:#14191a">${body}</p>${
    items === ''
      ? ''
      : `
<ul class="ink" style="margin:0 0 24px;padding:0 0 0 20px;font-size:15px;line-height:24px;color:#14191a">${items}</ul>`
  }
<p style="margin:0 0 24px"><a class="button" href="${url}" style="display:inline-block;padding:11px 18px;border-radius:8px;
background:#0b7a73;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${button}</a></p>
<p class="soft" style="${SMALL};padding:0 0 16px">${openAddress}<br>
<a class="soft" href="${url}" style="color:#4b5556;word-break:break-all">${url}</a></p>
<p class="soft" style="${SMALL}">${closing}</p></td></tr>
<tr><td class="soft" style="padding:16px 0 0;${SMALL}">${sender}</td></tr>
</table></td></tr></table></body></html>
`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (char) => entities[char]!);
}
