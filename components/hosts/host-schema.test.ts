import { describe, expect, it } from 'vitest';
import type { HostRecord } from '@/components/data/types';
import { schemaResolver } from '@/components/records/schema-resolver';
import { USUAL_ISOLATION } from '@/lib/vocabulary/host-isolation';
import { hostSchema, toBody, toValues } from './host-schema';

describe('the form of a host', () => {
  const host = {
    name: 'hopper',
    tags: [] as string[],
    address: 'hopper.lab.example.org',
    default_runtime: 'runc',
    default_gpu_runtime: 'nvidia',
    isolation: USUAL_ISOLATION,
  } as HostRecord;

  it('takes what is stored', () => {
    expect(toBody(hostSchema.parse(toValues(host)))).toEqual(host);
    const isolation = {
      runtimes: ['kata', 'runsc'],
      hostPorts: '443, 8000-8999',
      cpuLimit: 1.5,
      memoryLimit: 1024 ** 3,
      pidsLimit: 0,
      allowNewPrivileges: true,
      keepNetRaw: true,
      sharedBindFolders: true,
    };
    expect(toBody(hostSchema.parse(toValues({ ...host, isolation })))).toEqual({ ...host, isolation });
  });

  it.each([
    ['name', '', 'required'],
    ['default_runtime', ' ', 'required'],
    ['address', 'http://hopper', 'invalidHostAddress'],
  ])('refuses %s of %s', async (field, value, message) => {
    const options = { fields: {}, shouldUseNativeValidation: false };
    const { errors } = await schemaResolver(hostSchema)({ ...toValues(host), [field]: value }, undefined, options);
    expect(errors).toEqual({ [field]: expect.objectContaining({ message }) });
  });
});
