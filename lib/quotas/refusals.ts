import 'server-only';
import type { FieldProblem } from '@/lib/errors';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import type { QuotaAmount } from '@/lib/vocabulary/quota';
import { type Bounds, boundsOf } from './bounds';
import { type Usage, usageOf } from './usage';

/** How much of an amount one thing takes before what is asked for, and after it. */
export interface Change {
  before: number;
  after: number;
}

interface Asking {
  /** Whom the quota binds: who made, or gets, what is asked about. */
  ownerId: string;
  /** Who asks: numbers are for the owner and for admins. */
  actor: Actor;
  /** Of the workspace that is asked about; the rest of what the owner has is added to it. */
  except?: string;
}

/** Sums of cores that were typed with decimals differ in the last digit. */
const HAIR = 1e-9;
const GIB = 1024 ** 3;

/** One person's quota as it is now, and what they have: for the checks of one transaction. */
export class Quota {
  readonly bounds: Bounds;
  private sums: Usage | undefined;

  constructor(private readonly asking: Asking) {
    this.bounds = boundsOf(asking.ownerId);
  }

  /** Whether the amount is bound at all. */
  binds(amount: QuotaAmount): boolean {
    return this.bounds[amount].bound !== null;
  }

  /**
   * Why a growth is refused; undefined where there is none, or it fits. With `alone` what else the owner has is left out:
   * nothing runs yet, and it only has to fit by itself.
   */
  refuse(amount: QuotaAmount, { before, after }: Change, { alone = false } = {}): FieldProblem | undefined {
    const { bound } = this.bounds[amount];
    if (bound === null || after <= before + HAIR) return undefined;
    const total = (alone ? 0 : this.used[amount]) + after;
    return total > bound + HAIR ? this.problem(amount, after) : undefined;
  }

  /** Why nothing more may be stored, however little it is; undefined where something may. */
  refuseMore(): FieldProblem | undefined {
    const { bound } = this.bounds.storageBytes;
    return bound !== null && this.used.storageBytes >= bound ? this.problem('storageBytes', 0) : undefined;
  }

  /** Why nothing may be written where too much is stored already; undefined where it is not. */
  refuseBeyond(): FieldProblem | undefined {
    const { bound } = this.bounds.storageBytes;
    return bound !== null && this.used.storageBytes > bound ? this.problem('storageBytes', 0) : undefined;
  }

  /** How much more of the amount there may be, 0 at least; undefined where it is not bound. */
  left(amount: QuotaAmount): number | undefined {
    const { bound } = this.bounds[amount];
    return bound === null ? undefined : Math.max(0, bound - this.used[amount]);
  }

  /** Why a workspace without a limit is refused. */
  refuseUnlimited(amount: 'cpus' | 'memoryBytes'): FieldProblem | undefined {
    if (!this.binds(amount)) return undefined;
    const whose = this.isOwn ? 'own' : 'others';
    return { code: 'validation_quota_needs_limit', message: UNLIMITED_WORDS[amount][whose] };
  }

  /** Why a runtime that gives cards is refused where none are asked for. */
  refuseUncountedGpus(): FieldProblem | undefined {
    if (!this.binds('gpus')) return undefined;
    const message =
      'This runtime gives GPUs without counting them, and there is a quota of GPUs: ask for GPUs instead.';
    return { code: 'validation_quota_gpus', message };
  }

  private get used(): Usage {
    return (this.sums ??= usageOf(this.asking.ownerId, this.asking.except));
  }

  private get isOwn(): boolean {
    return actorUserId(this.asking.actor) === this.asking.ownerId;
  }

  private problem(amount: QuotaAmount, asked: number): FieldProblem {
    const { actor } = this.asking;
    const isAdmin = actor.kind === 'admin' || (actor.kind === 'user' && actor.isAdmin);
    const numbers = { bound: this.bounds[amount].bound ?? 0, used: this.used[amount], asked, by: this.used.running };
    const message = this.isOwn
      ? OWN_WORDS[amount](numbers)
      : isAdmin
        ? OTHERS_WORDS[amount](numbers)
        : 'The quota of its owner does not allow this.';
    return { code: 'validation_quota', message };
  }
}

interface Numbers {
  bound: number;
  used: number;
  asked: number;
  /** Running workspaces. */
  by: number;
}
type Words = Record<QuotaAmount, (numbers: Numbers) => string>;

const cores = (count: number) => Math.round(count * 100) / 100;
const gib = (bytes: number) => Math.round((bytes / GIB) * 100) / 100;

const OWN_WORDS: Words = {
  workspaces: ({ bound, used }) => `Your quota of workspaces is ${bound}, and you have ${used}. Delete one first.`,
  running: ({ bound, used }) => `Your quota of running workspaces is ${bound}, and ${used} run. Stop one first.`,
  cpus: ({ bound, used, by, asked }) =>
    `Your quota of CPU cores is ${cores(bound)}; ${cores(used)} in use (running workspaces: ${by}), and this one asks for ${cores(asked)}.`,
  memoryBytes: ({ bound, used, by, asked }) =>
    `Your quota of memory is ${gib(bound)} GiB; ${gib(used)} GiB in use (running workspaces: ${by}), and this one asks for ${gib(asked)} GiB.`,
  gpus: ({ bound, used, by, asked }) =>
    `Your quota of GPUs is ${bound}; ${used} in use (running workspaces: ${by}), and this one asks for ${asked}.`,
  storageBytes: ({ bound, used, asked }) =>
    asked > 0
      ? `Your quota of storage is ${gib(bound)} GiB; ${gib(used)} GiB in use, and this asks for ${gib(asked)} GiB.`
      : `Your quota of storage is ${gib(bound)} GiB, and ${gib(used)} GiB are in use. Delete something first.`,
};

const OTHERS_WORDS: Words = {
  workspaces: ({ bound, used }) => `The quota of its owner is ${bound} workspaces, and there are ${used}.`,
  running: ({ bound, used }) => `The quota of its owner is ${bound} running workspaces, and ${used} run.`,
  cpus: ({ bound, used, by, asked }) =>
    `The quota of its owner is ${cores(bound)} CPU cores; ${cores(used)} in use (running workspaces: ${by}), and this one asks for ${cores(asked)}.`,
  memoryBytes: ({ bound, used, by, asked }) =>
    `The quota of its owner is ${gib(bound)} GiB of memory; ${gib(used)} GiB in use (running workspaces: ${by}), and this one asks for ${gib(asked)} GiB.`,
  gpus: ({ bound, used, by, asked }) =>
    `The quota of its owner is ${bound} GPUs; ${used} in use (running workspaces: ${by}), and this one asks for ${asked}.`,
  storageBytes: ({ bound, used, asked }) =>
    asked > 0
      ? `The quota of its owner is ${gib(bound)} GiB of storage; ${gib(used)} GiB in use, and this asks for ${gib(asked)} GiB.`
      : `The quota of its owner is ${gib(bound)} GiB of storage, and ${gib(used)} GiB are in use.`,
};

const UNLIMITED_WORDS = {
  cpus: {
    own: 'Set a CPU limit: your quota counts it.',
    others: "Set a CPU limit: its owner's quota counts it.",
  },
  memoryBytes: {
    own: 'Set a memory limit: your quota counts it.',
    others: "Set a memory limit: its owner's quota counts it.",
  },
} as const;
