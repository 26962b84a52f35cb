import { z } from 'zod';
import type { HostRecord } from '@/components/data/types';

/** Beginnings of repositories as they are typed, with commas or spaces between. */
const repositories = z
  .string()
  .trim()
  .refine(
    (text) => split(text).every((part) => /^(\*|[A-Za-z0-9][A-Za-z0-9._:/-]*)$/.test(part) && part.length <= 255),
    'invalidRepositoryPrefix',
  );

const accountSchema = z
  .object({
    serveraddress: z.string().trim().min(1, 'required').max(255),
    username: z.string().trim().min(1, 'required').max(255),
    password: z.string().max(10_000),
    /** Whose stored password an empty one keeps: registry and user, with a line break between. */
    kept: z.string(),
    pullRepositories: repositories,
    pullUsers: z.array(z.string()).max(200),
    pushRepositories: repositories,
    pushUsers: z.array(z.string()).max(200),
  })
  .superRefine((account, context) => {
    if (account.password === '' && !isKept(account))
      context.addIssue({ code: 'custom', path: ['password'], message: 'required' });
  });

export const registriesSchema = z
  .object({ registry_auths: z.array(accountSchema).max(50) })
  .superRefine((values, context) => {
    values.registry_auths.forEach((account, index) => {
      const first = values.registry_auths.findIndex((each) => keyOf(each) === keyOf(account));
      if (account.username !== '' && first < index)
        context.addIssue({
          code: 'custom',
          path: ['registry_auths', index, 'username'],
          message: 'accountAlreadyAdded',
        });
    });
  });
export type RegistriesValues = z.infer<typeof registriesSchema>;
export type AccountValues = RegistriesValues['registry_auths'][number];

export const NEW_ACCOUNT: AccountValues = {
  serveraddress: '',
  username: '',
  password: '',
  kept: '',
  pullRepositories: '',
  pullUsers: [],
  pushRepositories: '',
  pushUsers: [],
};

const keyOf = ({ serveraddress, username }: { serveraddress: string; username: string }) =>
  `${serveraddress.trim()}\n${username.trim()}`;

/** Whether the console keeps the password of the account, which is empty here. */
export function isKept(account: Pick<AccountValues, 'serveraddress' | 'username' | 'kept'>): boolean {
  return account.kept !== '' && account.kept === keyOf(account);
}

const split = (text: string) => text.split(/[\s,]+/).filter(Boolean);

export function toValues({ registry_auths: accounts }: HostRecord): RegistriesValues {
  return {
    registry_auths: (accounts ?? []).map((account) => ({
      serveraddress: account.serveraddress,
      username: account.username,
      password: '',
      kept: keyOf(account),
      pullRepositories: (account.pullRepositories ?? []).join(', '),
      pullUsers: account.pullUsers ?? [],
      pushRepositories: (account.pushRepositories ?? []).join(', '),
      pushUsers: account.pushUsers ?? [],
    })),
  };
}

/** As the record keeps it. */
export function toBody({ registry_auths: accounts }: RegistriesValues): Record<string, unknown> {
  return {
    registry_auths: accounts.map(({ kept: _kept, ...account }) => ({
      ...account,
      pullRepositories: split(account.pullRepositories),
      pushRepositories: split(account.pushRepositories),
    })),
  };
}
