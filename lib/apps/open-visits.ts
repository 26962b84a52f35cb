import 'server-only';
import { listenToCredentialEnds } from '@/lib/auth/credential-ends';
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
  /** Its right has been taken back. */
  end(): void;
}

const SLICE = 100;
/** Dates pass, and cookies and sessions end, without anybody writing anything. */
const LOOK_AGAIN_MS = 15_000;
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
  private isDue = false;

  constructor() {
    listenToCredentialEnds(() => this.lookAgain());
    listenToChanges({
      onCommitted: (changes) => {
        if (changes.some(({ collection }) => DECIDING.has(collection))) this.lookAgain();
        for (const { collection, id } of changes) {
          if (collection === 'workspaces') look([...(this.byWorkspace.get(id) ?? [])]);
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
    return () => this.leave(visit, all);
  }

  private leave(visit: Visit, all: Set<Visit>): void {
    if (!all.delete(visit)) return;
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
    look(this.waiting?.splice(0, SLICE) ?? []);
    if (this.waiting && this.waiting.length > 0) return void setImmediate(() => this.nextSlice());
    this.waiting = undefined;
    if (!this.isDue) return;
    this.isDue = false;
    this.lookAgain();
  }
}

function look(visits: readonly Visit[]): void {
  for (const visit of visits) {
    try {
      if (!visit.isAllowed()) visit.end();
    } catch (error) {
      // Nobody can tell: then it may not go on.
      log.error({ err: error }, 'a visit could not be looked at');
      visit.end();
    }
  }
}

export const openVisits = () => singleton('open-visits', () => new OpenVisits());
