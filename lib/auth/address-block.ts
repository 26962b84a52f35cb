/**
 * What addresses are told apart by: an IPv4 address as it is, an IPv6 address by its first 64 bits, for whoever has one
 * such network has all the addresses in it.
 */
export function addressBlock(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(missing).fill('0'), ...after];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** Groups without leading zeros; an IPv4 address at the end counts as two. */
function groupsOf(part: string): string[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (group.includes('.')) return ['0', '0'];
    return [group.toLowerCase().replace(/^0+(?=.)/, '')];
  });
}
