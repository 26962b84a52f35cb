/** A mail about an account, without its address. */
export interface MailText {
  subject: string;
  text: string;
  html: string;
}

interface Letter {
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  button: string;
  url: string;
  closing: string;
}

interface About {
  /** How the person is called. */
  name: string;
  url: string;
}

export function passwordResetMail({ name, url }: About): MailText {
  return write({
    subject: 'Reset your Berth password',
    greeting: greet(name),
    paragraphs: ['Someone asked to reset the password of your Berth account. The link below lets you set a new one.'],
    button: 'Set a new password',
    url,
    closing: 'The link works for 30 minutes, once. If it was not you, ignore this mail: nothing has changed.',
  });
}

export function verificationMail({ name, url }: About): MailText {
  return write({
    subject: 'Confirm your e-mail address for Berth',
    greeting: greet(name),
    paragraphs: ['Please confirm that this address belongs to your Berth account.'],
    button: 'Confirm this address',
    url,
    closing: 'The link works for 7 days. If you have no account with us, ignore this mail.',
  });
}

export function emailChangeMail({ name, url, newEmail }: About & { newEmail: string }): MailText {
  return write({
    subject: 'Confirm your new e-mail address for Berth',
    greeting: greet(name),
    paragraphs: [`You asked to use ${newEmail} for your Berth account. Confirm it with your password.`],
    button: 'Use this address',
    url,
    closing: 'The link works for 30 minutes. Everyone who is signed in to the account has to sign in again.',
  });
}

function greet(name: string): string {
  return name === '' ? 'Hello,' : `Hello ${name},`;
}

function write({ subject, greeting, paragraphs, button, url, closing }: Letter): MailText {
  const text = [greeting, ...paragraphs, url, closing, 'Berth'].join('\n\n') + '\n';
  const body = [greeting, ...paragraphs].map((line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`).join('');
  const link = escapeHtml(url);
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>` +
    `<body style="margin:0;padding:32px 16px;background:#f4f4f5;color:#18181b;font:16px/1.5 system-ui,sans-serif">` +
    `<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">${body}` +
    `<p style="margin:24px 0"><a href="${link}" style="display:inline-block;padding:12px 20px;background:#18181b;` +
    `color:#fff;border-radius:8px;text-decoration:none">${escapeHtml(button)}</a></p>` +
    `<p style="margin:0 0 16px;font-size:13px;color:#52525b">Or open this address:<br>` +
    `<a href="${link}" style="color:#52525b;word-break:break-all">${link}</a></p>` +
    `<p style="margin:0;font-size:13px;color:#52525b">${escapeHtml(closing)}</p></div></body></html>\n`;
  return { subject, text, html };
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (char) => entities[char]!);
}
