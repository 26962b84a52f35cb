import { expect, it } from 'vitest';
import type { HostRecord } from '@/components/data/types';
import { schemaResolver } from '@/components/records/schema-resolver';
import { isKept, NEW_ACCOUNT, registriesSchema, toBody, toValues, type AccountValues } from './registry-schema';

const stored = {
  serveraddress: 'registry.example.org',
  username: 'robot',
  password: '',
  pullRepositories: ['team', '*'],
  pullUsers: ['u1'],
  pushRepositories: [],
  pushUsers: [],
};
const account: AccountValues = { ...NEW_ACCOUNT, serveraddress: 'ghcr.io', username: 'me', password: 'x' };

async function problemsOf(...accounts: AccountValues[]) {
  const options = { fields: {}, shouldUseNativeValidation: false };
  const { errors } = await schemaResolver(registriesSchema)({ registry_auths: accounts }, undefined, options);
  return JSON.parse(JSON.stringify(errors, (key, value: unknown) => (key === 'ref' ? undefined : value))) as object;
}

it('sends back what is stored, without the password that nobody sees', () => {
  const values = toValues({ registry_auths: [stored] } as unknown as HostRecord);
  expect(values.registry_auths[0]).toMatchObject({ pullRepositories: 'team, *', password: '' });
  expect(toBody(values)).toEqual({ registry_auths: [stored] });
});

it('keeps a password for the same registry and user alone', () => {
  const [values] = toValues({ registry_auths: [stored] } as unknown as HostRecord).registry_auths;
  expect(isKept(values!)).toBe(true);
  expect(isKept({ ...values!, username: 'other' })).toBe(false);
  expect(isKept(NEW_ACCOUNT)).toBe(false);
});

it('asks for registry, user and password', async () => {
  expect(await problemsOf(account)).toEqual({});
  expect(await problemsOf(NEW_ACCOUNT)).toMatchObject({
    registry_auths: [
      { serveraddress: { message: 'required' }, username: { message: 'required' }, password: { message: 'required' } },
    ],
  });
});

it('refuses an account twice, and what is no beginning of a repository', async () => {
  expect(await problemsOf(account, { ...account })).toMatchObject({
    registry_auths: [null, { username: { message: 'accountAlreadyAdded' } }],
  });
  expect(await problemsOf({ ...account, pushRepositories: 'team/base, ../x' })).toMatchObject({
    registry_auths: [{ pushRepositories: { message: 'invalidRepositoryPrefix' } }],
  });
});
