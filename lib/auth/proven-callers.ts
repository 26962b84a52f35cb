import 'server-only';
import { nowMs } from '@/lib/clock';
import { listenToCredentialEnds } from './credential-ends';
import type { Actor } from '@/lib/policies/actor';
import { Lru } from '@/lib/lru';
import { versionOf } from '@/db/versions';
import { singleton } from '@/lib/singleton';

const LIMIT = 5000;
/** How long a proof holds while nothing changes: no token outlives its time by more. */
const KEPT_MS = 500;
/** What decides who a token stands for, beside sessions and API tokens that end. */
const DECIDING = ['users', 'settings'];

interface Proof {
  actor: Actor;
  version: string;
  untilMs: number;
}

/**
 * Who a header stood for a moment ago: pages and scripts send the same one with every call, and checking a signature and
 * reading an account cost more than most reads. Any change of an account or a setting, and any session or token that ends,
 * has it checked anew.
 */
class ProvenCallers {
  private proofs = new Lru<Proof>(LIMIT);

  constructor() {
    listenToCredentialEnds(() => (this.proofs = new Lru<Proof>(LIMIT)));
  }

  /** The actor of the header; `prove` is asked where that is not known, or no longer. */
  actorOf(header: string, prove: () => Actor): Actor {
    const now = nowMs();
    const known = this.proofs.get(header);
    if (known && now < known.untilMs && now >= known.untilMs - KEPT_MS && known.version === versionOf(DECIDING))
      return known.actor;
    const actor = prove();
    if (actor.kind !== 'guest')
      this.proofs.set(header, { actor, version: versionOf(DECIDING), untilMs: now + KEPT_MS });
    return actor;
  }
}

export function provenCallers(): ProvenCallers {
  return singleton('proven-callers', () => new ProvenCallers());
}
