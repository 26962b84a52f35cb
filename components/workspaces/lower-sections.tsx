'use client';

import type { UseFormReturn } from 'react-hook-form';
import { AddressesSection } from './addresses-section';
import { EnvironmentSection } from './environment-section';
import { HealthSection } from './health-section';
import { NetworksSection } from './networks-section';
import { StartSection } from './start-section';
import { TimesSection } from './times/times-section';
import { VolumesSection } from './volumes-section';
import type { WorkspaceValues } from './workspace-schema';

/** What stands below the first screen of the form: it comes a moment later. */
export function LowerSections({
  form,
  workspaceId,
  isFollowed,
}: {
  form: UseFormReturn<WorkspaceValues>;
  /** Empty of one that is made. */
  workspaceId: string;
  isFollowed: boolean;
}) {
  return (
    <>
      <AddressesSection form={form} />
      <EnvironmentSection form={form} />
      <VolumesSection form={form} />
      <NetworksSection form={form} />
      <HealthSection form={form} />
      <StartSection form={form} />
      <TimesSection form={form} workspaceId={workspaceId} isLast={!isFollowed} />
    </>
  );
}
