/** Something that waits, and whose turn it takes. */
export interface Waiting {
  owner: string;
}

export interface Turns {
  /** How much of it each owner has under way. */
  running: ReadonlyMap<string, number>;
  /** When each owner last began something, as a count that goes up. */
  lastBegun: ReadonlyMap<string, number>;
}

/** What waits, in the order in which it is to begin: everyone in turn, each one's own as they came. */
export function inTurn<T extends Waiting>(waiting: readonly T[], { running, lastBegun }: Turns): T[] {
  const rounds = new Map<string, number>();
  const placed = waiting.map((item, index) => {
    const round = rounds.get(item.owner) ?? running.get(item.owner) ?? 0;
    rounds.set(item.owner, round + 1);
    return { item, round, last: lastBegun.get(item.owner) ?? 0, index };
  });
  placed.sort((a, b) => a.round - b.round || a.last - b.last || a.index - b.index);
  return placed.map(({ item }) => item);
}
