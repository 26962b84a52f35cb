import 'server-only';
import { log } from '@/lib/log';
import { singleton } from '@/lib/singleton';
import { sendMail, type Mail } from './mail';
import { MailError } from './mail-error';

const MAX_WAITING = 200;
const MAX_AT_ONCE = 4;
/** Pauses before the second and the third try. */
const PAUSES_MS = [2000, 15_000];

interface Waiting {
  mail: Mail;
  /** What the mail is about, for the log. */
  kind: string;
  tries: number;
}

/** Mails that nobody waits for: held in memory, tried three times, so that a mail server may be away for a moment. */
class MailQueue {
  private readonly ready: Waiting[] = [];
  private active = 0;
  private pausing = 0;

  get room(): number {
    return MAX_WAITING - this.ready.length - this.pausing;
  }

  add(entry: Waiting): void {
    if (this.room <= 0) {
      log.error({ kind: entry.kind, waiting: MAX_WAITING }, 'a mail was dropped: too many wait to be sent');
      return;
    }
    this.ready.push(entry);
    this.next();
  }

  private next(): void {
    while (this.active < MAX_AT_ONCE && this.ready.length > 0) {
      this.active += 1;
      void this.send(this.ready.shift()!);
    }
  }

  private async send(entry: Waiting): Promise<void> {
    try {
      await sendMail(entry.mail);
    } catch (error) {
      this.failed(entry, error);
    } finally {
      this.active -= 1;
      this.next();
    }
  }

  private failed(entry: Waiting, error: unknown): void {
    const { kind, tries } = entry;
    const pauseMs = PAUSES_MS[tries];
    const isFinal = error instanceof MailError && error.isFinal;
    const why = error instanceof MailError ? error.message : 'unknown';
    if (isFinal || pauseMs === undefined) {
      log.error({ kind, tries: tries + 1, why }, 'a mail could not be sent');
      return;
    }
    log.warn({ kind, tries: tries + 1, why, pauseMs }, 'a mail will be tried again');
    this.pausing += 1;
    const timer = setTimeout(() => {
      this.pausing -= 1;
      this.ready.push({ ...entry, tries: tries + 1 });
      this.next();
    }, pauseMs);
    timer.unref();
  }
}

const queue = singleton('mail-queue', () => new MailQueue());

/** How many more mails that can wait may be queued: half of the room is for those that somebody looks for. */
export function roomForMails(): number {
  return Math.max(0, queue.room - MAX_WAITING / 2);
}

/** Has a mail sent in the background; failures are logged, never thrown. */
export function queueMail(mail: Mail, kind: string): void {
  queue.add({ mail, kind, tries: 0 });
}
