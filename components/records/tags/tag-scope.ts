import { NO_TEMPLATE, ONLY_TEMPLATES } from '@/components/data/templates';
import { TAGGED, type Tagged } from '@/lib/vocabulary/tags';
import type { ListQuestion } from '../list-address';

/** The records whose tags are asked for: of all kinds where none is named, templates and others where it is not said. */
export interface TagScope {
  kind?: Tagged;
  template?: boolean;
}

/** The records that a list shows, as far as tags can be asked for so. */
export function tagScopeOf({ collection, baseFilter }: Pick<ListQuestion, 'collection' | 'baseFilter'>): TagScope {
  const kind = TAGGED.find((each) => each === collection);
  if (!kind) return {};
  if (baseFilter === NO_TEMPLATE) return { kind, template: false };
  return baseFilter === ONLY_TEMPLATES ? { kind, template: true } : { kind };
}
