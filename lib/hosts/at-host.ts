import 'server-only';
import type { HostSpec } from '@/lib/protocol/specs/host';
import { defineKind } from './link/kinds';

/** The settings of a host as its agent gets them. Objects that older consoles stored hold accounts, which stay here. */
export const hostKind = defineKind('host', {
  open: (spec: HostSpec): HostSpec => ({ ...spec, registryAuths: [] }),
});
