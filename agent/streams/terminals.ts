import type { MuxStream } from '../../lib/protocol/mux-stream';
import type { OpenTerminal } from '../../lib/protocol/streams';
import { encodeNews } from '../../lib/protocol/terminal-parts';
import type { Engine } from '../engines/engine';
import { toMessage } from '../engines/engine-error';
import type { Terminal } from '../engines/terminal';
import type { AgentLog } from '../log';
import type { HostShell } from '../shell/host-shell';
import { findContainer } from './log-source';
import type { TerminalMarks } from './terminal-marks';
import { TerminalSession, workspaceOf } from './terminal-session';

export interface TerminalOptions {
  engine: Engine;
  hostId: string;
  hostShell: HostShell;
  log: AgentLog;
  marks: TerminalMarks;
  /** How long a session lives on that nobody looks at. */
  graceMs?: number;
}

const GRACE_MS = 5 * 60_000;
const SESSIONS_PER_PERSON = 10;
const SESSIONS_MAX = 100;
/** Shells of the host itself, of all people. */
const HOST_SHELLS_MAX = 4;
const HOST_SHELLS = 'host';

/** There is no terminal, for a reason that people can be told. */
class RefusedError extends Error {
  constructor(
    readonly code: 'gone' | 'limit' | 'container' | 'failed',
    message: string,
  ) {
    super(message);
  }
}

/** The terminals of this host. They outlive the console's connection, not this process. */
export class Terminals {
  private readonly sessions = new Map<string, TerminalSession>();
  private readonly graces = new Map<string, NodeJS.Timeout>();
  /** Of what is being started, whose limit it counts to. */
  private readonly starting: string[] = [];
  private isStopping = false;

  constructor(private readonly options: TerminalOptions) {}

  /** Answers an `open`: with the session that runs, or a new one. */
  serve(stream: MuxStream, open: OpenTerminal): void {
    this.find(open).then(
      (session) => {
        clearTimeout(this.graces.get(session.id));
        this.graces.delete(session.id);
        if (stream.isClosed) return this.startGrace(session);
        session.join(stream, open);
      },
      (error: unknown) => {
        const code = error instanceof RefusedError ? error.code : 'failed';
        stream
          .write(encodeNews({ k: 'refused', code, message: toMessage(error).slice(0, 2000) }))
          .catch(() => undefined);
        stream.end();
      },
    );
  }

  /** Ends every session. For the agent's stop. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(
      [...this.sessions.values()].map((session) => this.end(session, 'The agent of the host stopped.')),
    );
  }

  private async find(open: OpenTerminal): Promise<TerminalSession> {
    const held = this.sessions.get(open.session);
    if (held?.workspaceId === workspaceOf(open) && held.kind === open.kind) return held;
    if (!open.isNew || held) throw new RefusedError('gone', 'This session is over.');
    if (this.isStopping) throw new RefusedError('failed', 'The agent of the host is stopping.');
    const limited = limitOf(open.kind, open.viewer);
    this.starting.push(limited);
    try {
      await this.makeRoom(open);
      return await this.start(open);
    } finally {
      this.starting.splice(this.starting.indexOf(limited), 1);
    }
  }

  private async start(open: OpenTerminal): Promise<TerminalSession> {
    const { containerId, terminal } = await this.openTerminal(open);
    if (this.isStopping) {
      await terminal.close();
      throw new RefusedError('failed', 'The agent of the host is stopping.');
    }
    this.options.marks.add(open.session, containerId, terminal.mark);
    const session: TerminalSession = new TerminalSession({
      open,
      terminal,
      onQuiet: () => this.startGrace(session),
      onOver: (words) => this.noteOver(session, words),
    });
    this.sessions.set(session.id, session);
    return session;
  }

  private async openTerminal(open: OpenTerminal): Promise<{ containerId: string; terminal: Terminal }> {
    const { engine, hostShell } = this.options;
    const { cols, rows } = open;
    const size = { cols, rows };
    if (open.kind === 'hostShell') return { containerId: '', terminal: await hostShell.open(size) };
    const container = await findContainer(this.options, open.workspaceId);
    if (container?.state !== 'running') throw new RefusedError('container', 'The workspace does not run.');
    const { containerId } = container;
    const terminal = await (open.kind === 'exec'
      ? engine.exec(containerId, { ...open, size })
      : engine.attach(containerId, size));
    return { containerId, terminal };
  }

  /** A place for what is being started: of the person's own sessions the one that nobody looks at goes first. */
  private async makeRoom({ kind, viewer }: OpenTerminal): Promise<void> {
    const all = [...this.sessions.values()];
    const limited = limitOf(kind, viewer);
    const rivals = all.filter((session) => limitOf(session.kind, session.owner) === limited && !session.end);
    const starting = this.starting.filter((each) => each === limited).length;
    if (rivals.length + starting > (limited === HOST_SHELLS ? HOST_SHELLS_MAX : SESSIONS_PER_PERSON)) {
      const spare = rivals.find((session) => session.owner === viewer && !session.isWatched);
      if (!spare) throw new RefusedError('limit', limitWords(limited));
      await this.end(spare, 'The session was ended for a newer one.');
    }
    const over = all.find((session) => session.end && !session.isWatched);
    if (this.sessions.size + this.starting.length <= SESSIONS_MAX) return;
    if (!over) throw new RefusedError('limit', `This host has ${SESSIONS_MAX} open sessions. Try again later.`);
    this.forget(over);
  }

  /** Nobody looks on: the session ends unless someone comes back in time. */
  private startGrace(session: TerminalSession): void {
    if (session.isWatched || this.sessions.get(session.id) !== session) return;
    clearTimeout(this.graces.get(session.id));
    const end = (): void => void this.end(session, 'Nobody has looked at the session for a while.');
    this.graces.set(session.id, setTimeout(end, this.options.graceMs ?? GRACE_MS).unref());
  }

  private end(session: TerminalSession, message: string): Promise<void> {
    this.forget(session);
    return session.close(message);
  }

  private noteOver({ id, workspaceId }: TerminalSession, words: string): void {
    this.options.marks.forget(id);
    if (words) this.options.log.warn({ workspaceId, words }, 'A terminal could not be ended');
  }

  private forget(session: TerminalSession): void {
    clearTimeout(this.graces.get(session.id));
    this.graces.delete(session.id);
    this.sessions.delete(session.id);
  }
}

/** Whose limit a session counts to: its owner's, or that of all shells of the host. */
function limitOf(kind: OpenTerminal['kind'], owner: string): string {
  return kind === 'hostShell' ? HOST_SHELLS : owner;
}

function limitWords(limited: string): string {
  if (limited === HOST_SHELLS) {
    return `There are ${HOST_SHELLS_MAX} open terminals of this host itself. One of them has to end first.`;
  }
  return `You have ${SESSIONS_PER_PERSON} open sessions on this host. End one of them first.`;
}
