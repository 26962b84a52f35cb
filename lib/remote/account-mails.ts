import { createTranslator } from 'use-intl/core';
import en from '@/messages/en/mails.json';
import hu from '@/messages/hu/mails.json';
import { languageOf, LANGUAGES } from '@/lib/vocabulary/languages';
import { layOutMail, type MailText } from './mail-layout';

/** Mails to an account: three with a link that does something once, two that tell what was done, one of what will be. */
export const ACCOUNT_MAILS = [
  'passwordReset',
  'verification',
  'emailChange',
  'emailChanged',
  'passwordChanged',
  'workspaceDeletion',
] as const;
export type AccountMail = (typeof ACCOUNT_MAILS)[number];

const catalogs = { en, hu };

export interface MailFacts {
  /** How the person is called; empty where that is not known. */
  name: string;
  /** As the account has it: `en`, `de-AT`. */
  language: string;
  /** Where the button leads. */
  url: string;
  /** The address that is being confirmed, in mails about one. */
  newEmail?: string;
  /** What is to be deleted and when, in milliseconds, in the mail about it; the rest of it as a count. */
  workspaces?: { names: { name: string; atMs: number }[]; more: number };
  /** The console's own address, so that its people know where the mail is from. */
  consoleUrl: string;
}

/** What others may have named: in one line, and no address that a reader would open. */
const plain = (name: string) => name.replace(/\s+/g, ' ').replaceAll('://', ' ');

/** The mail in the person's language, in English where there is no translation. */
export function writeAccountMail(kind: AccountMail, facts: MailFacts): MailText {
  const { name, url, newEmail = '', workspaces = { names: [], more: 0 }, consoleUrl } = facts;
  const locale = languageOf(facts.language) ?? LANGUAGES[0];
  const t = createTranslator({ locale, messages: catalogs[locale] });
  const count = workspaces.names.length + workspaces.more;
  const of = (part: 'subject' | 'preheader' | 'button' | 'closing') => t(`${kind}.${part}`, { count });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const list = workspaces.names.map((each) =>
    t('workspaceDeletion.line', { name: plain(each.name), at: moment.format(each.atMs) }),
  );
  if (workspaces.more > 0) list.push(t('workspaceDeletion.more', { count: workspaces.more }));
  return layOutMail({
    language: locale,
    subject: of('subject'),
    preheader: of('preheader'),
    greeting: name === '' ? t('greetingNameless') : t('greeting', { name }),
    body: t(`${kind}.body`, { newEmail, count }),
    list,
    button: of('button'),
    url,
    openAddress: t('openAddress'),
    closing: of('closing'),
    sender: t('sender', { address: consoleUrl }),
  });
}
