import 'server-only';
import type { HostSpec } from '@/lib/protocol/specs/host';
import { tryOpen } from '@/lib/secrets';
import { defineKind } from './link/kinds';

/** The settings of a host as its agent gets them. */
export const hostKind = defineKind('host', {
  open: (spec: HostSpec): HostSpec => ({
    ...spec,
    registryAuths: spec.registryAuths.flatMap((auth) => {
      const password = tryOpen(auth.password);
      return password === undefined ? [] : [{ ...auth, password }];
    }),
  }),
});
