import 'server-only';
import { imagesTable } from '@/db/schema/images';
import { AppError, type FieldProblems } from '@/lib/errors';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { findAccount } from '@/lib/hosts/registry-accounts';
import { normalizedText, readOwnName } from '@/lib/protocol/image-names';
import { notAllowed } from '@/lib/records/attached';
import { mayAct } from '@/lib/records/can';
import type { CheckContext } from '@/lib/records/collection';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { planBuild } from './base-images';
import type { ImageRow } from './collection';

type Context = CheckContext<ImageRow>;

/** What an image is made from and pushed as, as far as it changes: open to the caller, and not another's in other words. */
export function checkNames(context: Context): FieldProblems {
  const { actor, tx, row } = context;
  const host = tx.get(hosts, row.build_on);
  if (!host || !mayAct(hosts, { actor, act: 'canCreateImages', row: host })) return {};
  const problems: FieldProblems = {};
  const isPulled = row.creationType === 'pullAnImage';
  if (hasChanged(context, 'repository', 'tag', 'dockerImageName')) {
    Object.assign(problems, checkTaken(context));
    if (isPulled) Object.assign(problems, checkUse(context, { host, field: 'dockerImageName', use: 'pull' }));
  }
  if (!isPulled && row.push_after_build && hasChanged(context, 'repository', 'tag', 'push_after_build')) {
    Object.assign(problems, checkUse(context, { host, field: 'push_after_build', use: 'push' }));
  }
  if (!isPulled && !row.template && hasChanged(context, 'dockerfile', 'buildArguments', 'baseImage', 'environments')) {
    Object.assign(problems, checkSources(context, host));
  }
  return problems;
}

/** A changed kind or host asks everything anew. */
function hasChanged({ row, before }: Context, ...fields: (keyof ImageRow)[]): boolean {
  return (
    !before || [...fields, 'creationType' as const, 'build_on' as const].some((name) => before[name] !== row[name])
  );
}

function checkTaken({ tx, row }: Context): FieldProblems {
  const field = row.creationType === 'pullAnImage' ? 'dockerImageName' : 'repository';
  const reference = imageReference(row);
  if (readOwnName(reference)) {
    const message = 'Hosts give names of this form themselves. Choose another.';
    return { [field]: { code: 'validation_invalid_value', message } };
  }
  if (row.template) return {};
  const parts = ['id', 'creationType', 'dockerImageName', 'repository', 'tag'] as const;
  const others = tx.findParts({ name: 'images', table: imagesTable }, parts, {
    build_on: row.build_on,
    template: false,
  });
  const name = normalizedText(reference);
  // The same in the same words is told with both fields, as every value that has to be unique.
  const isTaken = (other: (typeof others)[number]): boolean =>
    other.id !== row.id &&
    normalizedText(imageReference(other)) === name &&
    (other.repository !== row.repository || other.tag !== row.tag);
  if (!others.some(isTaken)) return {};
  return { [field]: { code: 'validation_not_unique', message: `Another image of this host is named ${name}.` } };
}

function checkUse(
  { actor, row }: Context,
  { host, field, use }: { host: HostRow; field: string; use: 'pull' | 'push' },
): FieldProblems {
  const answer = findAccount(host, { actor, reference: imageReference(row), use });
  return 'refusal' in answer ? { [field]: notAllowed(answer.refusal) } : {};
}

function checkSources({ actor, tx, row }: Context, host: HostRow): FieldProblems {
  try {
    planBuild({ image: row, host, actor, reader: tx, isDraft: true });
    return {};
  } catch (error) {
    if (error instanceof AppError) return error.fields;
    throw error;
  }
}
