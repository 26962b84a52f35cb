/** Kinds of records that carry tags. */
export const TAGGED = ['workspaces', 'images', 'hosts', 'volumes', 'networks', 'domains', 'files'] as const;
export type Tagged = (typeof TAGGED)[number];

export const tagLimits = {
  perRecord: 20,
  /** Characters. */
  length: 40,
  /** That one question for them is answered with. */
  told: 50,
} as const;

/** At least one letter or digit; nothing that would need escaping in JSON, in a filter or in a search. */
const TAG = /^(?=.*[\p{L}\p{N}])[\p{L}\p{M}\p{N}\-_.:/ ]+$/u;

/** UTF-16 units: what is longer is refused, however it is spelled. */
const SPELLED_MOST = 4 * tagLimits.length;

/** A tag's one spelling: composed, in lower case, without blanks at its ends and with one where there were several. */
export function spellTag(text: string): string {
  // Composing takes the square of what stands on one letter, and no tag is so long.
  if (text.length > SPELLED_MOST) return text.slice(0, SPELLED_MOST);
  return text.normalize('NFC').toLowerCase().normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** Whether a text that was spelled as a tag is one. */
export function isTag(text: string): boolean {
  return TAG.test(text) && [...text].length <= tagLimits.length;
}

export const INVALID_TAG = 'Tags are made of letters, digits, blanks and - _ . : /, at most 40 characters each.';
