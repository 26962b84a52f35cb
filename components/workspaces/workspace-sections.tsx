'use client';

import dynamic from 'next/dynamic';
import type { UseFormReturn } from 'react-hook-form';
import type { WorkspaceRecord } from '@/components/data/types';
import { BasicsSection } from './basics-section';
import { PortsSection } from './ports-section';
import type { WorkspaceValues } from './workspace-schema';

/** The next two are not there before they are alive: what is typed into a field that is not would be lost. */
const GpusSection = dynamic(() => import('./gpus-section').then((module) => module.GpusSection), {
  ssr: false,
  loading: () => <Coming />,
});
const LowerSections = dynamic(() => import('./lower-sections').then((module) => module.LowerSections), {
  ssr: false,
  loading: () => <Coming />,
});

function Coming() {
  return <div aria-busy="true" className="border-line mb-[22px] h-24 border-b" />;
}

interface WorkspaceSectionsProps {
  form: UseFormReturn<WorkspaceValues>;
  /** What is stored, once it is. */
  workspace?: WorkspaceRecord;
  /** Whether another section follows. */
  isFollowed?: boolean;
}

/** Everything that is set of a workspace, the same for a new one and for one that is there. */
export function WorkspaceSections({ form, workspace, isFollowed = false }: WorkspaceSectionsProps) {
  return (
    <>
      <BasicsSection form={form} workspace={workspace} />
      <GpusSection form={form} workspaceId={workspace?.id} />
      <PortsSection form={form} picked={workspace?.observedPorts ?? []} />
      <LowerSections form={form} workspaceId={workspace?.id ?? ''} isFollowed={isFollowed} />
    </>
  );
}
