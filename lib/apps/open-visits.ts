import 'server-only';
import { listenToCredentialEnds } from '@/lib/auth/credential-ends';
import { nowMs } from '@/lib/clock';
import { log } from '@/lib/log';
import { listenToChanges } from '@/lib/records/changes';
import { singleton } from '@/lib/singleton';
import { limits } from '@/lib/vocabulary/limits';

/** A request or connection to a workspace that is open. */
export interface Visit {
  workspace: string;
  /** Whose it counts as: a username, or the address of somebody that nobody knows. */
  who: string;
  /** Whether it may go on, as things are now. */
  isAllowed(): boolean;
  /** When that may end without anybody writing anything, in milliseconds since the epoch; Infinity for never. */
  untilMs(): number;
  /** Its right has been taken back. */
  end(): void;
}

const SLICE = 100;
/** Cookies and sessions end without anybody writing anything. */
const LOOK_AGAIN_MS = 15_000;
/** What a timer can wait. */
const TIMER_MAX_MS = 2 ** 31 - 1;
const DECIDING = new Set([
  'users',
  'settings',
  'domains',
  'workspace_permissions',
  'workspace_login_permissions',
  'group_members',
]);

/** What is open at the moment: counted, and looked at again whenever a right may have been taken back. */
class OpenVisits {
  private readonly byWorkspace = new Map<string, Set<Visit>>();
  private readonly byWho = new Map<string, number>();
  private waiting: Visit[] | undefined;
  private readonly ends = new Map<Visit, { untilMs: number; timer: NodeJS.Timeout }>();
  private isDue = false;

  constructor() {
    listenToCredentialEnds(() => this.lookAgain());
    listenToChanges({
      onCommitted: (changes) => {
        if (changes.some(({ collection }) => DECIDING.has(collection))) this.lookAgain();
        for (const { collection, id } of changes) {
          if (collection === 'workspaces') this.look([...(this.byWorkspace.get(id) ?? [])]);
        }
      },
    });
    setInterval(() => this.lookAgain(), LOOK_AGAIN_MS).unref();
  }

  /** Takes a place for the visit; returns what leaves it, undefined where there is none. */
  enter(visit: Visit): (() => void) | undefined {
    const { workspace, who } = visit;
    const all = this.byWorkspace.get(workspace) ?? new Set();
    const own = this.byWho.get(who) ?? 0;
    if (all.size >= limits.openPerWorkspace || own >= limits.openPerVisitor) return undefined;
    this.byWorkspace.set(workspace, all.add(visit));
    this.byWho.set(who, own + 1);
    this.watch(visit);
    return () => this.leave(visit, all);
  }

  private leave(visit: Visit, all: Set<Visit>): void {
    if (!all.delete(visit)) return;
    clearTimeout(this.ends.get(visit)?.timer);
    this.ends.delete(visit);
    if (all.size === 0) this.byWorkspace.delete(visit.workspace);
    const left = (this.byWho.get(visit.who) ?? 1) - 1;
    if (left === 0) this.byWho.delete(visit.who);
    else this.byWho.set(visit.who, left);
  }

  /** All of them, some in each turn of the event loop. */
  private lookAgain(): void {
    if (this.waiting) {
      this.isDue = true;
      return;
    }
    if (this.byWorkspace.size === 0) return;
    this.waiting = [...this.byWorkspace.values()].flatMap((all) => [...all]);
    setImmediate(() => this.nextSlice());
  }

  private nextSlice(): void {
    this.look(this.waiting?.splice(0, SLICE) ?? []);
    if (this.waiting && this.waiting.length > 0) return void setImmediate(() => this.nextSlice());
    this.waiting = undefined;
    if (!this.isDue) return;
    this.isDue = false;
    this.lookAgain();
  }

  private look(visits: readonly Visit[]): void {
    for (const visit of visits) {
      try {
        if (visit.isAllowed()) this.watch(visit);
        else visit.end();
      } catch (error) {
        // Nobody can tell: then it may not go on.
        log.error({ err: error }, 'a visit could not be looked at');
        visit.end();
      }
    }
  }

  /** Has the visit looked at again at the moment when its right ends by itself. */
  private watch(visit: Visit): void {
    // It may have left since it was read.
    if (!this.byWorkspace.get(visit.workspace)?.has(visit)) return;
    const untilMs = visit.untilMs();
    const known = this.ends.get(visit);
    if (known?.untilMs === untilMs) return;
    clearTimeout(known?.timer);
    this.ends.delete(visit);
    const leftMs = untilMs - nowMs();
    if (leftMs > TIMER_MAX_MS) return;
    const look = (): void => {
      this.ends.delete(visit);
      this.look([visit]);
    };
    this.ends.set(visit, { untilMs, timer: setTimeout(look, Math.max(leftMs, 0) + 1).unref() });
  }
}

export const openVisits = () => singleton('open-visits', () => new OpenVisits());
