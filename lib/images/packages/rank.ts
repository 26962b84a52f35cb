/** How well a name fits what was typed: the name itself, its beginning, the beginning of a word in it, a part of it. */
type Rank = 0 | 1 | 2 | 3;

/** The rank of a name, both as indexes compare them; undefined where it does not fit. */
export function rankOf(key: string, query: string): Rank | undefined {
  if (key === query) return 0;
  if (key.startsWith(query)) return 1;
  if (key.includes(`-${query}`)) return 2;
  return key.includes(query) ? 3 : undefined;
}

/** The best first, and of the same rank the shortest; what does not fit is left out, and no key comes twice. */
export function rankAll<T extends { key: string; name: string }>(found: readonly T[], query: string): T[] {
  const byName = new Map(found.map((each) => [`${each.key}\u0000${each.name}`, each]));
  return [...byName.values()]
    .flatMap((each) => {
      const rank = rankOf(each.key, query);
      return rank === undefined ? [] : [{ each, rank }];
    })
    .sort(
      ({ each: one, rank: first }, { each: other, rank: second }) =>
        first - second ||
        one.key.length - other.key.length ||
        compareTexts(one.key, other.key) ||
        compareTexts(one.name, other.name),
    )
    .map(({ each }) => each);
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
