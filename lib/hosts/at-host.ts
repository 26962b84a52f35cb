import 'server-only';
import type { HostSpec } from '@/lib/protocol/specs/host';
import { open } from '@/lib/secrets';
import { defineKind } from './link/kinds';

/** The settings of a host as its agent gets them. */
export const hostKind = defineKind('host', {
  open: (spec: HostSpec): HostSpec => ({
    ...spec,
    registryAuths: spec.registryAuths.map((auth) => ({ ...auth, password: open(auth.password) })),
  }),
});
