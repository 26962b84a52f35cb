import 'server-only';
import { workspacesTable } from '@/db/schema/workspaces';
import type { FieldProblem } from '@/lib/errors';
import { allows } from '@/lib/policies/evaluate';
import { missingRelation, notAllowed } from '@/lib/records/attached';
import type { AnyRow, CheckContext, RowOf } from '@/lib/records/collection';
import { StoredFacts } from '@/lib/records/facts';
import { castText } from '@/lib/records/fields/text';
import { storedList } from '@/lib/records/secret-values';
import { tryOpen } from '@/lib/secrets';
import type { EnvironmentVariable, ExternalUrl } from '@/lib/vocabulary/workspace';
import { workspacesPolicy } from './policy';
import { passwordOf } from './url-checks';

type WorkspaceRow = RowOf<typeof workspacesTable>;

type Making = Pick<CheckContext<WorkspaceRow>, 'actor' | 'tx' | 'row' | 'body'>;

const table = { name: 'workspaces', table: workspacesTable };

/** What a new workspace says that it is made from; undefined where it says nothing, or names what is not there. */
function sourceOf({ tx, body }: Making) {
  const id = castText(body.copiedFrom);
  if (id === '') return undefined;
  const parts = ['id', 'created_by', 'template', 'enabled', 'environmentVariables', 'externalUrls'] as const;
  return tx.findParts(table, [...parts], { id })[0];
}

function mayDo({ actor }: Making, act: keyof typeof workspacesPolicy.can, row: AnyRow): boolean {
  return allows(workspacesPolicy.can[act], actor, row, new StoredFacts());
}

/** Why nothing may be made from the template that is named. What is no template may be copied by whoever sees it. */
export function checkSource(making: Making): FieldProblem | undefined {
  if (castText(making.body.copiedFrom) === '') return undefined;
  const source = sourceOf(making);
  if (!source || !mayDo(making, 'view', source)) return missingRelation();
  if (!source.template) return undefined;
  if (!mayDo(making, 'deploy', source)) return notAllowed('You do not have permission to use this template.');
  return source.enabled ? undefined : { code: 'validation_disabled', message: 'The template is disabled.' };
}

/**
 * A new workspace that names another one as `copiedFrom` takes over the secret values that it sends empty, which no page
 * knows. Of a template they are for whoever may deploy it; of a workspace for whoever may change it, and so see them anyhow.
 */
export function copySecrets(making: Making): void {
  const { row } = making;
  const source = sourceOf(making);
  if (!source || !mayDo(making, source.template ? 'deploy' : 'modify', source)) return;
  const known = storedList<EnvironmentVariable>(source.environmentVariables);
  row.environmentVariables = mapList<EnvironmentVariable>(row.environmentVariables, (variable) => {
    if (!variable.secret || variable.value !== '') return variable;
    const same = known.find(({ name, secret }) => secret && name === variable.name);
    return { ...variable, value: openOf(same?.value) };
  });
  row.externalUrls = mapList<ExternalUrl>(row.externalUrls, (url) => ({
    ...url,
    users: mapList(url.users, (user) => {
      if (user.password !== '') return user;
      return { ...user, password: openOf(passwordOf(source.externalUrls, url, user.username)) };
    }),
  }));
}

/** What is no list, or holds what is no object, is refused by the field itself. */
function mapList<T extends object>(list: T[] | null, change: (item: T) => T): T[] {
  if (!Array.isArray(list)) return list as never;
  return list.map((item) => (typeof item === 'object' && item !== null ? change(item) : item));
}

function openOf(sealed: string | undefined): string {
  return sealed ? (tryOpen(sealed) ?? '') : '';
}
