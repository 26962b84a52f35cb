import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DesiredKind, DesiredSpecs } from '../../lib/protocol/specs/desired';
import { systemClock } from '../clock';
import { SimulatedEngine } from '../engines/simulated/simulated-engine';
import type { AnyKind, Kind, Wanted } from './kind';
import { ReconcileLoop } from './loop';

/** What the kinds were asked to do, in order: `make w1`, `remove w1`. */
let done: string[];
let warnings: string[];
/** Work on these ids goes on until it is let go. */
let held: Map<string, () => void>;
let passes = 0;
let loop: ReconcileLoop;

beforeEach(() => {
  done = [];
  warnings = [];
  held = new Map();
  passes = 0;
});
afterEach(async () => {
  for (const release of held.values()) release();
  await loop.stop();
});

interface Script {
  needs?: string[];
  observe?(): Promise<ReadonlyMap<string, string>>;
  plan?(id: string): void;
}

/** A kind whose objects are as wanted once they were worked on. */
function makeKind<K extends DesiredKind>(name: K, script: Script = {}): Kind<K, string> {
  const settled = new Set<string>();
  return {
    name,
    observe() {
      passes += 1;
      return script.observe?.() ?? Promise.resolve(new Map());
    },
    needs: () => script.needs ?? [],
    isSuperseded: () => false,
    async plan({ id, spec }) {
      script.plan?.(id);
      const words = `${spec ? 'make' : 'remove'} ${id}`;
      if (settled.has(words)) return { report: () => undefined };
      const apply = async (): Promise<void> => {
        done.push(words);
        if (held.has(id)) await new Promise<void>((resolve) => held.set(id, resolve));
        settled.add(words);
      };
      return { report: () => undefined, apply };
    },
  };
}

function run(kinds: AnyKind[], objects: { kind: DesiredKind; id: string; isWanted: boolean }[]): void {
  const warn = (facts: object): number => warnings.push(String('kind' in facts && facts.kind));
  const silent = (): void => undefined;
  const log = { debug: silent, info: silent, warn, error: silent };
  const engine = new SimulatedEngine({ images: [] });
  loop = new ReconcileLoop({
    engine,
    hostId: 'h',
    log,
    clock: systemClock,
    kinds,
    onEngine: silent,
    onUnknown: silent,
  });
  const wanted: Wanted = {
    of<K extends DesiredKind>(kind: K) {
      const ofKind = objects.filter((object) => object.kind === kind);
      return new Map(ofKind.map(({ id, isWanted }) => [id, isWanted ? ({} as DesiredSpecs[K]) : null]));
    },
  };
  loop.start();
  loop.setDesired(wanted, null);
}

/** Resolves once the loop has looked at everything anew. */
async function lookAgain(): Promise<void> {
  const target = passes + 4;
  await vi.waitFor(() => {
    loop.requestPass(0);
    expect(passes).toBeGreaterThan(target);
  });
}

describe('the loop', () => {
  it('makes kinds in their order, and holds back what needs an object in the making', async () => {
    held.set('n1', () => undefined);
    const kinds = [makeKind('host'), makeKind('workspace', { needs: ['n1'] }), makeKind('job')];
    const ids = { host: 'n1', workspace: 'w1', job: 'j1' };
    run(
      kinds,
      (['workspace', 'job', 'host'] as const).map((kind) => ({ kind, id: ids[kind], isWanted: true })),
    );
    await vi.waitFor(() => expect(done).toEqual(['make n1', 'make j1']));
    await lookAgain();
    expect(done).not.toContain('make w1');
    held.get('n1')!();
    await vi.waitFor(() => expect(done).toEqual(['make n1', 'make j1', 'make w1']));
  });

  it('removes from the last kind to the first, the one before only once the later is through', async () => {
    held.set('w1', () => undefined);
    run(
      [makeKind('host'), makeKind('workspace')],
      [
        { kind: 'host', id: 'n1', isWanted: false },
        { kind: 'workspace', id: 'w1', isWanted: false },
      ],
    );
    await vi.waitFor(() => expect(done).toEqual(['remove w1']));
    await lookAgain();
    expect(done).toEqual(['remove w1']);
    held.get('w1')!();
    await vi.waitFor(() => expect(done).toEqual(['remove w1', 'remove n1']));
  });

  it('starts nothing again by a look from before its work had ended', async () => {
    const made = new Set<string>();
    const looks: (() => void)[] = [];
    let isLookSlow = false;
    const kind: Kind<'workspace', string> = {
      name: 'workspace',
      async observe() {
        passes += 1;
        const seen = new Map([...made].map((id) => [id, 'there']));
        if (isLookSlow) await new Promise<void>((resolve) => looks.push(resolve));
        return seen;
      },
      isSuperseded: () => false,
      async plan({ id, seen }) {
        const apply = async (): Promise<void> => {
          done.push(`make ${id}`);
          await new Promise<void>((resolve) => held.set(id, resolve));
          made.add(id);
        };
        return { report: () => undefined, apply: seen ? undefined : apply };
      },
    };
    run([kind], [{ kind: 'workspace', id: 'w1', isWanted: true }]);
    await vi.waitFor(() => expect(done).toEqual(['make w1']));
    isLookSlow = true;
    loop.requestPass(0);
    await vi.waitFor(() => expect(looks).toHaveLength(1));
    isLookSlow = false;
    held.get('w1')!();
    await vi.waitFor(() => expect(made.size).toBe(1));
    looks[0]!();
    await lookAgain();
    expect(done).toEqual(['make w1']);
  });

  it('goes on with the others when a kind, or one object, fails', async () => {
    const away = makeKind('host', { observe: () => Promise.reject(new Error('no list')) });
    const picky = makeKind('workspace', {
      plan(id) {
        if (id === 'w1') throw new Error('no plan');
      },
    });
    run(
      [away, picky],
      [
        { kind: 'host', id: 'n1', isWanted: true },
        { kind: 'workspace', id: 'w1', isWanted: true },
        { kind: 'workspace', id: 'w2', isWanted: true },
      ],
    );
    await vi.waitFor(() => expect(done).toEqual(['make w2']));
    expect(new Set(warnings)).toEqual(new Set(['host', 'workspace']));
  });
});
