'use client';

import type { UseFormReturn } from 'react-hook-form';
import { AddressesSection } from './addresses-section';
import { EnvironmentSection } from './environment-section';
import { HealthSection } from './health-section';
import { NetworksSection } from './networks-section';
import { StartSection } from './start-section';
import { VolumesSection } from './volumes-section';
import type { WorkspaceValues } from './workspace-schema';

/** What stands below the first screen of the form: it comes a moment later. */
export function LowerSections({ form, isFollowed }: { form: UseFormReturn<WorkspaceValues>; isFollowed: boolean }) {
  return (
    <>
      <AddressesSection form={form} />
      <EnvironmentSection form={form} />
      <VolumesSection form={form} />
      <NetworksSection form={form} />
      <HealthSection form={form} />
      <StartSection form={form} isLast={!isFollowed} />
    </>
  );
}
