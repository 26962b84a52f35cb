import { openRealtimeLink, type LinkState, type RecordChange } from './realtime-link';

/** Everything that pages show. */
const TOPICS = [
  'workspaces/*',
  'images/*',
  'hosts/*',
  'users/*',
  'builds/*',
  'deployments/*',
  'volume_backups/*',
  'workspace_permissions/*',
  'time_notices/*',
  'image_permissions/*',
  'host_permissions/*',
  'audit/*',
  'settings/*',
  'volumes/*',
  'networks/*',
  'volume_permissions/*',
  'network_permissions/*',
  'domain_permissions/*',
  'file_permissions/*',
  'workspace_login_permissions/*',
  'groups/*',
  'group_members/*',
];

type Message =
  | { kind: 'state'; state: LinkState }
  | { kind: 'change'; change: RecordChange }
  | { kind: 'connect' }
  | { kind: 'ask' }
  | { kind: 'pause'; isPaused: boolean };

interface Listener {
  onChange: (change: RecordChange) => void;
  /** What was sent before it is lost: what a page loaded until now may be old already, on the first connect too. */
  onConnect: (which: { isFirst: boolean }) => void;
}

/**
 * Realtime for all tabs of a browser: one of them, the one that holds the lock, keeps the connection and passes on what
 * it hears; when it closes, the next one takes over.
 */
export class RealtimeStore {
  private state: LinkState = { kind: 'connecting' };
  private readonly subscribers = new Set<() => void>();
  private readonly channel: BroadcastChannel;
  private readonly stop = new AbortController();
  private closeLink: (() => void) | undefined;
  private isLeader = false;
  private hasHeard = false;

  constructor(
    private readonly viewerId: string,
    private readonly listener: Listener,
  ) {
    this.channel = new BroadcastChannel(`berth-realtime-${viewerId}`);
  }

  start(): void {
    this.channel.onmessage = (event: MessageEvent<Message>) => this.hear(event.data);
    if (!('locks' in navigator)) {
      // Plain http on another machine has no Web Locks: each tab then keeps a connection of its own.
      this.lead();
      return;
    }
    this.channel.postMessage({ kind: 'ask' } satisfies Message);
    const release = new Promise<void>((resolve) => this.stop.signal.addEventListener('abort', () => resolve()));
    navigator.locks
      .request(`berth-realtime-${this.viewerId}`, { signal: this.stop.signal }, () => {
        this.lead();
        return release;
      })
      .catch((error: unknown) => {
        if (!this.stop.signal.aborted) throw error;
      });
  }

  close(): void {
    this.stop.abort();
    this.closeLink?.();
    this.channel.close();
  }

  /** Connects anew: after another log-in of the viewer the old connection hears what a guest does. */
  reopen(): void {
    if (!this.isLeader || this.state.kind === 'paused' || this.stop.signal.aborted) return;
    this.closeLink?.();
    this.openLink();
  }

  /** Holds back or resumes what other people change, in all tabs. */
  setPaused(isPaused: boolean): void {
    if (this.isLeader) this.applyPaused(isPaused);
    else this.channel.postMessage({ kind: 'pause', isPaused } satisfies Message);
  }

  readonly subscribe = (onChange: () => void): (() => void) => {
    this.subscribers.add(onChange);
    return () => this.subscribers.delete(onChange);
  };

  readonly getState = (): LinkState => this.state;

  private lead(): void {
    this.isLeader = true;
    if (this.state.kind !== 'paused') this.openLink();
  }

  private openLink(): void {
    this.closeLink = openRealtimeLink(TOPICS, {
      onState: (state) => this.tell({ kind: 'state', state }),
      onChange: (change) => this.tell({ kind: 'change', change }),
      onConnect: () => this.tell({ kind: 'connect' }),
    });
  }

  private applyPaused(isPaused: boolean): void {
    this.closeLink?.();
    this.closeLink = undefined;
    if (isPaused) this.tell({ kind: 'state', state: { kind: 'paused' } });
    else this.openLink();
  }

  private tell(message: Message): void {
    this.channel.postMessage(message);
    this.take(message);
  }

  private hear(message: Message): void {
    if (message.kind === 'ask') {
      if (this.isLeader) this.channel.postMessage({ kind: 'state', state: this.state } satisfies Message);
    } else if (message.kind === 'pause') {
      if (this.isLeader) this.applyPaused(message.isPaused);
    } else {
      this.take(message);
    }
  }

  private take(message: Message): void {
    if (message.kind === 'state') {
      this.state = message.state;
      for (const subscriber of this.subscribers) subscriber();
    } else if (message.kind === 'change') {
      this.listener.onChange(message.change);
    } else if (message.kind === 'connect') {
      this.listener.onConnect({ isFirst: !this.hasHeard });
      this.hasHeard = true;
    }
  }
}
